"""Scores the tokens that a draft model proposed."""

from __future__ import annotations

from functools import partial

import torch
from vllm._custom_ops import paged_attention_v1


class DraftScorer:
    """Runs the target model's attention once per proposed token."""

    def __init__(self, tp_rank: int = 0) -> None:
        self._attend = partial(paged_attention_v1, tp_rank=tp_rank)

    def score(self, queries, cache, batch, scale):
        """One output per proposed token, in the order of the proposals."""
        outputs = []
        for step, query in enumerate(queries.unbind(1)):
            output = torch.empty_like(query)
            lengths = batch.seq_lens + step
            longest = batch.max_seq_len + step
            self._attend(output, query, cache.key, cache.value, cache.key.shape[1], scale, batch.block_tables,
                         lengths, cache.block_size, longest, None, cache.dtype, cache.k_scale, cache.v_scale)
            outputs.append(output)
        return torch.stack(outputs, dim=1)
