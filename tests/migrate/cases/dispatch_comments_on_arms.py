from vllm import _custom_ops as ops


def f(o, e, x, t, q, kc, vc, n, s, bt, sl, b, m, ks, vs):
    if m <= 8192:  # short
        ops.paged_attention_v1(o, q, kc, vc, n, s, bt, sl, b, m, None, "auto", ks, vs)  # one pass
    else:  # long
        ops.paged_attention_v2(o, e, x, t, q, kc, vc, n, s, bt, sl, b, m, None, "auto", ks, vs)  # two passes
# output
from paged_attention_shim import paged_attention


def f(o, e, x, t, q, kc, vc, n, s, bt, sl, b, m, ks, vs):
    paged_attention(o, q, kc, vc, n, s, bt, sl, b, m, None, "auto", ks, vs)  # one pass
# findings
# 6:9 PAM102 safe
# 8:9 PAM102 safe
