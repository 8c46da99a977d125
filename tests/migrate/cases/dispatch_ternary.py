from vllm import _custom_ops as ops


def f(o, e, x, t, q, kc, vc, n, s, bt, sl, b, m, ks, vs):
    return (
        ops.paged_attention_v1(o, q, kc, vc, n, s, bt, sl, b, m, None, "auto", ks, vs)
        if m <= 8192
        else ops.paged_attention_v2(o, e, x, t, q, kc, vc, n, s, bt, sl, b, m, None, "auto", ks, vs)
    )
# output
from paged_attention_shim import paged_attention


def f(o, e, x, t, q, kc, vc, n, s, bt, sl, b, m, ks, vs):
    return (
        paged_attention(o, q, kc, vc, n, s, bt, sl, b, m, None, "auto", ks, vs)
    )
# findings
# 6:9 PAM102 safe
# 8:14 PAM102 safe
