"""Attention over parts of the keys, put together by their log-sum-exps."""

from __future__ import annotations

from collections.abc import Sequence

import torch

from paged_attention_kernels.arguments import is_tensor


def merge_attention_states(
    outputs: torch.Tensor | Sequence[torch.Tensor],
    log_sum_exps: torch.Tensor | Sequence[torch.Tensor],
    *,
    out: torch.Tensor | None = None,
    lse: torch.Tensor | None = None,
) -> tuple[torch.Tensor, torch.Tensor]:
    """Output and log-sum-exp over all keys, from those over disjoint parts of the keys.

    `outputs`: a sequence of [num_tokens, num_heads, head_size] tensors of one type, or one stacked tensor;
    `log_sum_exps`: as many float32 [num_tokens, num_heads] tensors of natural logarithms, -inf for a part that saw
    nothing. Parts may come from other devices; nothing waits for the device. `out` and `lse` are filled if given.
    Formula, in float32: with `w_i = exp(lse_i - max(lse))` the output is `sum(w_i * output_i) / sum(w_i)`;
    sinks belong into one part only. Raises ValueError or TypeError that names the argument.
    """
    parts = _stacked("outputs", outputs, 3)
    logarithms = _stacked("log_sum_exps", log_sum_exps, 2)
    if parts.shape[:3] != logarithms.shape:
        raise ValueError(
            f"outputs have shape {list(parts.shape)} and log_sum_exps {list(logarithms.shape)}; "
            "[parts, num_tokens, num_heads, head_size] goes with [parts, num_tokens, num_heads]"
        )
    if logarithms.dtype != torch.float32:
        raise TypeError(f"log_sum_exps are {logarithms.dtype}; float32 is accepted")
    if not parts.dtype.is_floating_point:
        raise TypeError(f"outputs are {parts.dtype}; a floating-point type is accepted")
    # Relative to the greatest one: a float32 near a thousand has too few decimals to tell weights apart.
    greatest = logarithms.amax(dim=0)
    weights = torch.exp(logarithms - greatest.masked_fill(greatest == float("-inf"), 0.0))
    sums = weights.sum(dim=0)
    total = greatest + torch.log(sums)
    # A part that saw nothing counts nothing, whatever its output holds.
    seen = parts.float().masked_fill((weights == 0.0)[..., None], 0.0)
    merged = (weights[..., None] * seen).sum(dim=0) / sums.masked_fill(sums == 0.0, 1.0)[..., None]
    merged = merged.to(parts.dtype)
    return _into("out", out, merged), _into("lse", lse, total)


def _stacked(name: str, given: torch.Tensor | Sequence[torch.Tensor], dimensions: int) -> torch.Tensor:
    if not isinstance(given, torch.Tensor):
        if not given:
            raise ValueError(f"{name} is empty; one part or more is accepted")
        for each in given:
            is_tensor(name, each)
        shapes = sorted({tuple(each.shape) for each in given})
        if len(shapes) > 1:
            raise ValueError(f"{name} have the shapes {', '.join(map(str, shapes))}; one shape for all is accepted")
        given = torch.stack(list(given))
    if given.dim() != dimensions + 1:
        raise ValueError(f"{name} have {given.dim() - 1} dimensions a part; {dimensions} are accepted")
    if given.shape[0] == 0:
        raise ValueError(f"{name} is empty; one part or more is accepted")
    return given


def _into(name: str, given: torch.Tensor | None, result: torch.Tensor) -> torch.Tensor:
    if given is None:
        return result
    if given.shape != result.shape or given.dtype != result.dtype:
        raise ValueError(
            f"{name} has shape {list(given.shape)} and type {given.dtype}; {list(result.shape)} and {result.dtype} "
            "are accepted"
        )
    return given.copy_(result)
