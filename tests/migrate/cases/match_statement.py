from vllm import _custom_ops as ops

def f(version, o, e, x, t, q, kc, vc, n, s, bt, sl, b, m, ks, vs):
    match version:
        case 1:
            ops.paged_attention_v1(o, q, kc, vc, n, s, bt, sl, b, m, None, "auto", ks, vs)
        case _:
            ops.paged_attention_v2(o, e, x, t, q, kc, vc, n, s, bt, sl, b, m, None, "auto", ks, vs)
# output
from paged_attention_shim import paged_attention

def f(version, o, e, x, t, q, kc, vc, n, s, bt, sl, b, m, ks, vs):
    match version:
        case 1:
            paged_attention(o, q, kc, vc, n, s, bt, sl, b, m, None, "auto", ks, vs)
        case _:
            paged_attention(o, q, kc, vc, n, s, bt, sl, b, m, None, "auto", ks, vs)
# findings
# 6:13 PAM102 safe
# 8:13 PAM102 safe
