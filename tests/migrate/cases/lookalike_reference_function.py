def ref_single_query_cached_kv_attention(x):
    return x

ref_single_query_cached_kv_attention(1)
