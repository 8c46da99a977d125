from vllm import _custom_ops as ops


def route(o, sums, peaks, tmp, q, kc, vc, n, s, bt, sl, b, m, ks, vs):
    if m <= 8192:
        ops.paged_attention_v1(o, q, kc, vc, n, s, bt, sl, b, m, None, "auto", ks, vs)
    else:
        ops.paged_attention_v2(o, sums, peaks, tmp, q, kc, vc, n, s, bt, sl, b, m, None, "fp8", ks, vs)
# output
from paged_attention_shim import paged_attention


def route(o, sums, peaks, tmp, q, kc, vc, n, s, bt, sl, b, m, ks, vs):
    if m <= 8192:
        paged_attention(o, q, kc, vc, n, s, bt, sl, b, m, None, "auto", ks, vs)
    else:
        paged_attention(o, q, kc, vc, n, s, bt, sl, b, m, None, "fp8", ks, vs)
# findings
# 6:9 PAM102 safe
# 8:9 PAM102 safe
