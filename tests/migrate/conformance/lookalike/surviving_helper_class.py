from vllm.v1.attention.ops.paged_attn import PagedAttention


def write(keys, values, caches):
    key_cache, value_cache = PagedAttention.split_kv_cache(*caches)
    PagedAttention.write_to_paged_cache(keys, values, key_cache, value_cache)
