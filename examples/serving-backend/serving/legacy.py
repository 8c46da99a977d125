"""The worker for clusters that were deployed in spring 2024 and never upgraded."""

from __future__ import annotations

import torch

try:
    from vllm._C import ops

    HAVE_KERNELS = True
except ImportError:
    HAVE_KERNELS = False


def run(query, key_cache, value_cache, block_tables, context_lens, longest, scale, kv_scale=1.0):
    """One decode step with the operators as that generation declared them."""
    if not HAVE_KERNELS:
        raise RuntimeError("this worker needs vLLM's compiled operators")
    output = torch.empty_like(query)
    ops.paged_attention_v1(output, query, key_cache, value_cache, key_cache.shape[1], scale, block_tables,
                           context_lens, value_cache.shape[3], longest, None, "auto", kv_scale)
    return output
