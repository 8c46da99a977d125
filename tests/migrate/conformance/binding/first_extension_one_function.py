from vllm.attention_ops import single_query_cached_kv_attention  # expect: PAM101


def attend(out, query, keys, values, scale, tables, lens, longest):
    single_query_cached_kv_attention(out, query, keys, values, scale, tables, lens, 16, longest, None)  # expect: PAM102
