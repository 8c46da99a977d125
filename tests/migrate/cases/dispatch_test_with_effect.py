from vllm import _custom_ops as ops


def route(o, sums, peaks, tmp, q, kc, vc, n, s, bt, sl, b, m, ks, vs, tuner):
    if tuner.next_choice():
        ops.paged_attention_v1(o, q, kc, vc, n, s, bt, sl, b, m, None, "auto", ks, vs)
    else:
        ops.paged_attention_v2(o, sums, peaks, tmp, q, kc, vc, n, s, bt, sl, b, m, None, "auto", ks, vs)
# output
from paged_attention_shim import paged_attention


def route(o, sums, peaks, tmp, q, kc, vc, n, s, bt, sl, b, m, ks, vs, tuner):
    if tuner.next_choice():
        paged_attention(o, q, kc, vc, n, s, bt, sl, b, m, None, "auto", ks, vs)
    else:
        paged_attention(o, q, kc, vc, n, s, bt, sl, b, m, None, "auto", ks, vs)
# findings
# 6:9 PAM102 safe
# 8:9 PAM102 safe
