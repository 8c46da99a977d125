from vllm import _custom_ops as ops

def f(o, e, x, t, q, kc, vc, n, s, bt, sl, b, m, ks, vs):
    try:
        ops.paged_attention_v1(o, q, kc, vc, n, s, bt, sl, b, m, None, "auto", ks, vs)
    except Exception:
        return q
    return o
# output
from paged_attention_shim import paged_attention

def f(o, e, x, t, q, kc, vc, n, s, bt, sl, b, m, ks, vs):
    try:
        paged_attention(o, q, kc, vc, n, s, bt, sl, b, m, None, "auto", ks, vs)
    except Exception:
        return q
    return o
# findings
# 5:9 PAM102 safe
# 6:5 PAM108
