from vllm import _custom_ops as ops


def f(o, q, kc, vc, n, s, bt, sl, b, m, layer):
    ops.paged_attention_v1(o, q, kc, vc, n, s, bt, sl, b, m, None, "auto", layer._k_scale, layer._v_scale)
# output
from paged_attention_shim import paged_attention


def f(o, q, kc, vc, n, s, bt, sl, b, m, layer):
    paged_attention(o, q, kc, vc, n, s, bt, sl, b, m, None, "auto", layer._k_scale, layer._v_scale)
# findings
# 5:5 PAM102 safe
