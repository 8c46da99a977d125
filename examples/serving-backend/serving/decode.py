"""One decode step: write the new keys and values, then attend over the whole cache."""

from __future__ import annotations

import torch
from vllm import _custom_ops as ops

PARTITION_SIZE = 512


def write_cache(key, value, key_cache, value_cache, slots, k_scale, v_scale):
    """Store this step's keys and values in their slots."""
    ops.reshape_and_cache(key, value, key_cache, value_cache, slots, "auto", k_scale, v_scale)


def decode(query, key_cache, value_cache, block_tables, seq_lens, max_seq_len, scale, k_scale, v_scale):
    """Attention of one new token per sequence over the blocks it holds."""
    output = torch.empty_like(query)
    num_seqs, num_heads, head_size = query.shape
    num_kv_heads = key_cache.shape[1]
    block_size = value_cache.shape[3]

    # Short contexts, or enough rows to fill the device, do not gain from splitting.
    max_num_partitions = (max_seq_len + PARTITION_SIZE - 1) // PARTITION_SIZE
    use_v1 = max_seq_len <= 8192 and (max_num_partitions == 1 or num_seqs * num_heads > 512)
    if use_v1:
        ops.paged_attention_v1(
            output,
            query,
            key_cache,
            value_cache,
            num_kv_heads,
            scale,
            block_tables,
            seq_lens,
            block_size,
            max_seq_len,
            None,  # no ALiBi
            "auto",
            k_scale,
            v_scale,
        )
    else:
        assert PARTITION_SIZE % block_size == 0
        tmp_output = torch.empty(
            size=(num_seqs, num_heads, max_num_partitions, head_size),
            dtype=output.dtype,
            device=output.device,
        )
        exp_sums = torch.empty(
            size=(num_seqs, num_heads, max_num_partitions),
            dtype=torch.float32,
            device=output.device,
        )
        max_logits = torch.empty_like(exp_sums)
        ops.paged_attention_v2(
            output,
            exp_sums,
            max_logits,
            tmp_output,
            query,
            key_cache,
            value_cache,
            num_kv_heads,
            scale,
            block_tables,
            seq_lens,
            block_size,
            max_seq_len,
            None,  # no ALiBi
            "auto",
            k_scale,
            v_scale,
        )
    return output
