from vllm import _custom_ops as ops


def f(o, q, kc, vc, n, s, bt, sl, b, m, one):
    ops.paged_attention_v1(o, q, kc, vc, n, s, bt, sl, b, m, None, "auto", one, one)
# output
from paged_attention_shim import paged_attention


def f(o, q, kc, vc, n, s, bt, sl, b, m, one):
    paged_attention(o, q, kc, vc, n, s, bt, sl, b, m, None, "auto", one, one)
# findings
# 5:5 PAM102 safe
