"""Compares the kernels with a few lines of PyTorch before the first request is taken."""

from __future__ import annotations

import torch
from vllm._custom_ops import paged_attention_v1 as fused_attention


def expected(query, key_cache, value_cache, context_lens, block_tables, scale):
    """The same attention, one sequence at a time."""
    rows = []
    for row, length in enumerate(context_lens.tolist()):
        blocks = block_tables[row].long()
        keys = key_cache[blocks].permute(0, 3, 1, 2, 4).flatten(3).flatten(0, 1)[:length]
        values = value_cache[blocks].permute(0, 3, 1, 2).flatten(0, 1)[:length]
        repeat = query.shape[1] // keys.shape[1]
        keys, values = keys.repeat_interleave(repeat, 1), values.repeat_interleave(repeat, 1)
        weights = torch.softmax(torch.einsum("hd,thd->ht", query[row], keys).float() * scale, -1)
        rows.append(torch.einsum("ht,thd->hd", weights.to(values.dtype), values))
    return torch.stack(rows)


def kernels_agree(query, key_cache, value_cache, block_tables, context_lens, scale) -> bool:
    """Whether the fused kernel gives what PyTorch gives."""
    output = torch.empty_like(query)
    fused_attention(
        out=output,
        query=query,
        key_cache=key_cache,
        value_cache=value_cache,
        num_kv_heads=key_cache.shape[1],
        scale=scale,
        block_tables=block_tables,
        context_lens=context_lens,
        block_size=value_cache.shape[3],
        max_context_len=int(context_lens.max()),
        alibi_slopes=None,
        kv_cache_dtype="auto",
        kv_scale=1.0,
    )
    reference = expected(query, key_cache, value_cache, context_lens, block_tables, scale)
    return torch.allclose(output, reference, atol=2e-3, rtol=1e-3)
