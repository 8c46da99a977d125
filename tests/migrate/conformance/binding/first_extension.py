from vllm import attention_ops  # expect: PAM203


def attend(out, query, keys, values, scale, tables, lens, longest):
    attention_ops.single_query_cached_kv_attention(out, query, keys, values, scale, tables, lens, 16, longest)  # expect: PAM102
