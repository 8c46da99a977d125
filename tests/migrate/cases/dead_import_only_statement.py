try:
    from vllm._C import cache_ops
    from vllm._C import ops
except ImportError:
    pass


def f(o, q, kc, vc, n, s, bt, cl, b, m):
    ops.paged_attention_v1(o, q, kc, vc, n, s, bt, cl, b, m, None, "auto")
# output
try:
    from paged_attention_shim import paged_attention
except ImportError:
    pass


def f(o, q, kc, vc, n, s, bt, cl, b, m):
    paged_attention(o, q, kc, vc, n, s, bt, cl, b, m, None, "auto")
# findings
# 2:25 PAM203 safe
# 3:25 PAM203 safe
# 4:1 PAM108
# 9:5 PAM102 safe
