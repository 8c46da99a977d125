"""Captures the decode step in a CUDA graph, with every buffer allocated up front."""

from __future__ import annotations

import torch
import vllm._custom_ops  # noqa: F401  registers the operators


class DecodeGraph:
    """A decode step for one batch size, captured once and replayed."""

    def __init__(self, batch_size, num_heads, head_size, max_seq_len, max_blocks, cache):
        device = cache.key.device
        self.query = torch.zeros(batch_size, num_heads, head_size, dtype=torch.float16, device=device)
        self.output = torch.empty_like(self.query)
        self.block_tables = torch.zeros(batch_size, max_blocks, dtype=torch.int32, device=device)
        self.seq_lens = torch.ones(batch_size, dtype=torch.int32, device=device)
        self.max_seq_len = max_seq_len
        self.scale = head_size**-0.5
        self.cache = cache
        self.graph = torch.cuda.CUDAGraph()

    def capture(self):
        """Record one step."""
        with torch.cuda.graph(self.graph):
            torch.ops._C.paged_attention_v1(
                self.output, self.query, self.cache.key, self.cache.value, self.cache.key.shape[1], self.scale,
                self.block_tables, self.seq_lens, self.cache.block_size, self.max_seq_len, None, "auto",
                self.cache.k_scale, self.cache.v_scale, 0, 0, 0, 64, 0,
            )

    def replay(self, query, block_tables, seq_lens):
        """Run the captured step on a new batch."""
        self.query.copy_(query)
        self.block_tables[:, : block_tables.shape[1]].copy_(block_tables)
        self.seq_lens.copy_(seq_lens)
        self.graph.replay()
        return self.output
