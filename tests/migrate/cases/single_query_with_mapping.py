from vllm import attention_ops


def f(o, q, kc, vc, hm, s, bt, cl, b, m, al):
    attention_ops.single_query_cached_kv_attention(o, q, kc, vc, hm, s, bt, cl, b, m, al)
# findings
# 1:18 PAM203 unsafe
# 5:5 PAM403 unsafe
