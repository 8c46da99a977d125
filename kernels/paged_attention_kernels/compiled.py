"""The function as one operator of torch, for torch.compile: a graph holds the call whole, and reorders nothing in it.

Eager calls do not come this way: a custom operator costs more than the kernel at batch 1.
"""

from __future__ import annotations

from typing import Any

import torch

from paged_attention_kernels import decode

_SCALES = ("k_scale", "v_scale", "output_scale")


def in_graph(out: torch.Tensor | None, query: torch.Tensor, **arguments: Any) -> torch.Tensor:
    """The call as a node of the graph that is being compiled."""
    if out is None:
        out = torch.empty(query.shape, dtype=query.dtype, device=query.device)
    for name in _SCALES:
        # A schema knows no "number or tensor", so each has two arguments, one of which is None.
        given = arguments[name]
        arguments[f"{name}_number"] = None if given is None or isinstance(given, torch.Tensor) else float(given)
        arguments[name] = given if isinstance(given, torch.Tensor) else None
    _paged_attention(out, query, **arguments)
    return out


@torch.library.custom_op("paged_attention_kernels::paged_attention", mutates_args=("out", "lse"))
def _paged_attention(  # noqa: PLR0913, PLR0917  # the signature of the removed function, and what came later
    out: torch.Tensor,
    query: torch.Tensor,
    key_cache: torch.Tensor,
    value_cache: torch.Tensor,
    num_kv_heads: int,
    scale: float,
    block_tables: torch.Tensor,
    seq_lens: torch.Tensor,
    block_size: int,
    max_seq_len: int,
    alibi_slopes: torch.Tensor | None,
    kv_cache_dtype: str,
    k_scale: torch.Tensor | None,
    k_scale_number: float | None,
    v_scale: torch.Tensor | None,
    v_scale_number: float | None,
    tp_rank: int,
    blocksparse_local_blocks: int,
    blocksparse_vert_stride: int,
    blocksparse_block_size: int,
    blocksparse_head_sliding_step: int,
    cache_layout: str,
    sliding_window: int | None,
    softcap: float,
    sinks: torch.Tensor | None,
    lse: torch.Tensor | None,
    query_start_loc: torch.Tensor | None,
    output_scale: torch.Tensor | None,
    output_scale_number: float | None,
    backend: str | None,
) -> None:
    decode.paged_attention(
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
        k_scale if k_scale is not None else k_scale_number,
        v_scale if v_scale is not None else v_scale_number,
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
        output_scale=output_scale if output_scale is not None else output_scale_number,
        backend=backend,
    )


@_paged_attention.register_fake
def _(*arguments: Any, **keywords: Any) -> None:
    """Nothing is returned, and nothing but `out` and `lse` changes."""
