"""The attention call that survives."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from paged_attention_shim.dispatch import forced_backend

if TYPE_CHECKING:
    import torch

_kernels: Any = None


def paged_attention(  # noqa: PLR0913, PLR0917  # the signature of the removed function, and what came later
    out: torch.Tensor | None,
    query: torch.Tensor,
    key_cache: torch.Tensor,
    value_cache: torch.Tensor,
    num_kv_heads: int,
    scale: float,
    block_tables: torch.Tensor,
    seq_lens: torch.Tensor,
    block_size: int,
    max_seq_len: int,
    alibi_slopes: torch.Tensor | None = None,
    kv_cache_dtype: str = "auto",
    k_scale: float | torch.Tensor | None = None,
    v_scale: float | torch.Tensor | None = None,
    tp_rank: int = 0,
    blocksparse_local_blocks: int = 0,
    blocksparse_vert_stride: int = 0,
    blocksparse_block_size: int = 64,
    blocksparse_head_sliding_step: int = 0,
    *,
    cache_layout: str = "legacy",
    sliding_window: int | None = None,
    softcap: float = 0.0,
    sinks: torch.Tensor | None = None,
    lse: torch.Tensor | None = None,
    query_start_loc: torch.Tensor | None = None,
    output_scale: float | torch.Tensor | None = None,
) -> torch.Tensor:
    """Attention of the last tokens of every sequence over its paged cache; gives `out`.

    Positional arguments are those of vLLM's last `paged_attention_v1`: a call of it migrates by its name alone,
    and one of `paged_attention_v2` by dropping `exp_sum`, `max_logits` and `tmp_out`.

    * `query`, `out`: [num_tokens, num_heads, head_size], float16, bfloat16 or float32; None as `out` makes a new one.
    * `key_cache` [num_blocks, num_kv_heads, head_size / x, block_size, x] with x = 16 / element size and
      `value_cache` [num_blocks, num_kv_heads, head_size, block_size], or both in `cache_layout` "NHD" or "HND".
    * `block_tables` [num_seqs, pages] and `seq_lens` [num_seqs]: int32; int64 costs a copy.
    * `k_scale`, `v_scale`: numbers or tensors of one element, for "fp8" and "fp8_e5m2" caches.

    `lse` is filled with log-sum-exps, float32 [num_tokens, num_heads]. `help(paged_attention_kernels.paged_attention)`
    says what each argument means. Raises ValueError or TypeError that names a wrong argument, before anything runs.

    It runs as vLLM's ROCm operator where that is loaded and fits, in Triton on other GPUs and in torch on a CPU;
    PAGED_ATTENTION_BACKEND=rocm, triton or torch in the environment forces one.
    """
    global _kernels  # noqa: PLW0603  # imported when something is to be computed
    if _kernels is None:
        _kernels = import_module("paged_attention_kernels")
    backend = forced_backend()
    if backend == "rocm" or (backend is None and _may_be_on_rocm()):
        from paged_attention_shim import rocm_op

        call = rocm_op.Call(
            out, query, key_cache, value_cache, num_kv_heads, scale, block_tables, seq_lens, block_size, max_seq_len,
            alibi_slopes, kv_cache_dtype, k_scale, v_scale, query_start_loc, output_scale,
        )  # fmt: skip
        beyond = rocm_op.beyond_it(cache_layout, sliding_window, softcap, sinks, lse, blocksparse_vert_stride)
        refusal = beyond or rocm_op.refusal(call)
        if refusal is None:
            return rocm_op.attend(call)
        if backend == "rocm":
            raise RuntimeError(f"PAGED_ATTENTION_BACKEND is 'rocm', and vLLM's operator cannot run this: {refusal}")
    result: torch.Tensor = _kernels.paged_attention(
        out,
        query,
        key_cache,
        value_cache,
        num_kv_heads,
        scale,
        block_tables,
        seq_lens,
        block_size,
        max_seq_len,
        alibi_slopes,
        kv_cache_dtype,
        k_scale,
        v_scale,
        tp_rank,
        blocksparse_local_blocks,
        blocksparse_vert_stride,
        blocksparse_block_size,
        blocksparse_head_sliding_step,
        cache_layout=cache_layout,
        sliding_window=sliding_window,
        softcap=softcap,
        sinks=sinks,
        lse=lse,
        query_start_loc=query_start_loc,
        output_scale=output_scale,
        backend=backend,
    )
    return result


def attend(values: tuple[Any, ...]) -> torch.Tensor:
    """`paged_attention` by the tuple of its positional arguments, which is what forwarding has; a little faster."""
    backend = forced_backend()
    if _kernels is None or backend == "rocm" or _may_be_on_rocm():
        return paged_attention(*values)
    result: torch.Tensor = _kernels.paged_attention(*values, backend=backend)
    return result


def _may_be_on_rocm() -> bool:
    """Whether this torch is AMD's, so that vLLM's operator for ROCm may be loaded."""
    import torch

    return torch.version.hip is not None
