from vllm import _custom_ops as ops


def route(o, sums, peaks, tmp, q, kc, vc, n, s, bt, sl, b, m, ks, vs, parts):
    use_v1 = m <= 8192 and (parts == 1 or q.shape[0] * q.shape[1] > 512)
    if use_v1:
        ops.paged_attention_v1(o, q, kc, vc, n, s, bt, sl, b, m, None, "auto", ks, vs)
        return o
    ops.paged_attention_v2(o, sums, peaks, tmp, q, kc, vc, n, s, bt, sl, b, m, None, "auto", ks, vs)
    return o
# output
from paged_attention_shim import paged_attention


def route(o, sums, peaks, tmp, q, kc, vc, n, s, bt, sl, b, m, ks, vs, parts):
    use_v1 = m <= 8192 and (parts == 1 or q.shape[0] * q.shape[1] > 512)
    if use_v1:
        paged_attention(o, q, kc, vc, n, s, bt, sl, b, m, None, "auto", ks, vs)
        return o
    paged_attention(o, q, kc, vc, n, s, bt, sl, b, m, None, "auto", ks, vs)
    return o
# findings
# 7:9 PAM102 safe
# 9:5 PAM102 safe
