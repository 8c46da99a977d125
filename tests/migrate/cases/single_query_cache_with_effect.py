from vllm import attention_ops


def f(o, q, caches, s, bt, cl, b, m, al):
    attention_ops.single_query_cached_kv_attention(o, q, caches.pop(0), caches.pop(0), s, bt, cl, b, m, al)
# findings
# 1:18 PAM203
# 5:5 PAM409
