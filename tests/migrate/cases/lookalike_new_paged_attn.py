from vllm.v1.attention.ops.paged_attn import PagedAttention

PagedAttention.write_to_paged_cache(1)
