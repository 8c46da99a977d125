from vllm import _custom_ops as ops


def f(o, q, kc, vc, n, s, bt, sl, b, m, kvs, rank):
    ops.paged_attention_v1(o, q, kc, vc, n, s, bt, sl, b, m, None, "auto", kvs, rank)
# output
from paged_attention_shim import paged_attention


def f(o, q, kc, vc, n, s, bt, sl, b, m, kvs, rank):
    paged_attention(o, q, kc, vc, n, s, bt, sl, b, m, None, "auto", kvs, kvs, rank)
# findings
# 5:5 PAM102 safe
