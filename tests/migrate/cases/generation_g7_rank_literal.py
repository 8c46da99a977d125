from vllm import _custom_ops as ops


def f(o, q, kc, vc, n, s, bt, sl, b, m, kvs):
    ops.paged_attention_v1(o, q, kc, vc, n, s, bt, sl, b, m, None, "auto", kvs, 0)
# output
from paged_attention_shim import paged_attention


def f(o, q, kc, vc, n, s, bt, sl, b, m, kvs):
    paged_attention(o, q, kc, vc, n, s, bt, sl, b, m, None, "auto", kvs, kvs, 0)
# findings
# 5:5 PAM102 safe
