"""The attention layer of a model, with the kernels injected once."""

from __future__ import annotations

import torch
from vllm import _custom_ops


class CachedAttention:
    """Grouped-query attention that reads from a paged cache."""

    def __init__(self, num_heads: int, num_kv_heads: int, head_size: int, alibi_slopes: torch.Tensor | None = None):
        self.num_heads = num_heads
        self.num_kv_heads = num_kv_heads
        self.head_size = head_size
        self.scale = head_size**-0.5
        self.alibi_slopes = alibi_slopes
        self.ops = _custom_ops

    def store(self, key, value, cache, slots):
        """Write one step's keys and values."""
        self.ops.reshape_and_cache(
            key, value, cache.key, cache.value, slots, cache.dtype, cache.k_scale, cache.v_scale
        )

    def forward(self, query, cache, batch):
        """Attend; `query` is [num_seqs, num_heads * head_size]."""
        query = query.view(-1, self.num_heads, self.head_size)
        output = torch.empty_like(query)
        self.ops.paged_attention_v1(output, query, cache.key, cache.value, self.num_kv_heads, self.scale,
                                    batch.block_tables, batch.seq_lens, cache.block_size, batch.max_seq_len,
                                    self.alibi_slopes, cache.dtype, cache.k_scale, cache.v_scale)
        return output.view(-1, self.num_heads * self.head_size)
