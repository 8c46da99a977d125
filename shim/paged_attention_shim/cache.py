"""Writes into a paged cache, its layouts, and the merging of partial results."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    import torch


def reshape_and_cache(  # vLLM's signature
    key: torch.Tensor,
    value: torch.Tensor,
    key_cache: torch.Tensor,
    value_cache: torch.Tensor,
    slot_mapping: torch.Tensor,
    kv_cache_dtype: str = "auto",
    k_scale: float | torch.Tensor | None = None,
    v_scale: float | torch.Tensor | None = None,
) -> None:
    """Write keys and values [num_tokens, num_kv_heads, head_size] into the slots of a cache in the legacy layout.

    `slot_mapping`: int32 or int64, block * block_size + place in the block; negative ones are skipped. Any number of
    heads, float8 caches included. Raises ValueError or TypeError that names a wrong argument, before it writes.
    """
    from paged_attention_kernels import reshape_and_cache as write
    from paged_attention_shim.dispatch import kernels_backend

    write(
        key, value, key_cache, value_cache, slot_mapping, kv_cache_dtype, k_scale, v_scale, backend=kernels_backend()
    )  # fmt: skip


def reshape_and_cache_flash(  # noqa: PLR0913  # vLLM's signature
    key: torch.Tensor,
    value: torch.Tensor,
    key_cache: torch.Tensor,
    value_cache: torch.Tensor,
    slot_mapping: torch.Tensor,
    kv_cache_dtype: str = "auto",
    k_scale: float | torch.Tensor | None = None,
    v_scale: float | torch.Tensor | None = None,
    *,
    cache_layout: str = "NHD",
) -> None:
    """The same for caches [num_blocks, block_size, num_kv_heads, head_size], or "HND" with the middle two exchanged."""
    from paged_attention_kernels import reshape_and_cache_flash as write
    from paged_attention_shim.dispatch import kernels_backend

    write(
        key, value, key_cache, value_cache, slot_mapping, kv_cache_dtype, k_scale, v_scale,
        cache_layout=cache_layout, backend=kernels_backend(),
    )  # fmt: skip


def convert_layout(
    key_cache: torch.Tensor, value_cache: torch.Tensor, source: str, target: str
) -> tuple[torch.Tensor, torch.Tensor]:
    """The same keys and values in another layout ("legacy", "NHD" or "HND"), as new caches; no element changes."""
    from paged_attention_kernels import convert_layout as convert

    return convert(key_cache, value_cache, source, target)


def merge_attention_states(
    outputs: torch.Tensor | Sequence[torch.Tensor],
    log_sum_exps: torch.Tensor | Sequence[torch.Tensor],
    *,
    out: torch.Tensor | None = None,
    lse: torch.Tensor | None = None,
) -> tuple[torch.Tensor, torch.Tensor]:
    """Output and log-sum-exp over all keys, from those over disjoint parts of the keys, each [num_tokens, ...]."""
    from paged_attention_kernels import merge_attention_states as merge

    return merge(outputs, log_sum_exps, out=out, lse=lse)
