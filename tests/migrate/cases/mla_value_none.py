from vllm import _custom_ops as ops


def f(o, q, kc, s, bt, sl, b, m, ks):
    ops.paged_attention_v1(o, q, kc, None, 1, s, bt, sl, b, m, None, "auto", ks, ks)
# output
from paged_attention_shim import paged_attention


def f(o, q, kc, s, bt, sl, b, m, ks):
    paged_attention(o, q, kc, None, 1, s, bt, sl, b, m, None, "auto", ks, ks)
# findings
# 5:5 PAM102 safe
