def ref_single_query_cached_kv_attention(out, query):
    out.copy_(query)


def test_paged_attention_v1(out, query):
    ref_single_query_cached_kv_attention(out, query)
