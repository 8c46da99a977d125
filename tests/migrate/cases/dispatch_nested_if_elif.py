from vllm import _custom_ops as ops


def f(kind, o, e, x, t, q, kc, vc, n, s, bt, sl, b, m, ks, vs):
    if kind == "flash":
        return q
    elif m <= 8192:
        ops.paged_attention_v1(o, q, kc, vc, n, s, bt, sl, b, m, None, "auto", ks, vs)
    else:
        ops.paged_attention_v2(o, e, x, t, q, kc, vc, n, s, bt, sl, b, m, None, "auto", ks, vs)
    return o
# output
from paged_attention_shim import paged_attention


def f(kind, o, e, x, t, q, kc, vc, n, s, bt, sl, b, m, ks, vs):
    if kind == "flash":
        return q
    elif m <= 8192:
        paged_attention(o, q, kc, vc, n, s, bt, sl, b, m, None, "auto", ks, vs)
    else:
        paged_attention(o, q, kc, vc, n, s, bt, sl, b, m, None, "auto", ks, vs)
    return o
# findings
# 8:9 PAM102 safe
# 10:9 PAM102 safe
