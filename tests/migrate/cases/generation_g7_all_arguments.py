from vllm import _custom_ops as ops


def f(o, e, x, t, q, kc, vc, n, s, bt, sl, b, m, al, dt, kvs):
    ops.paged_attention_v2(o, e, x, t, q, kc, vc, n, s, bt, sl, b, m, al, dt, kvs, 0, 0, 0, 64, 0)
# output
from paged_attention_shim import paged_attention


def f(o, e, x, t, q, kc, vc, n, s, bt, sl, b, m, al, dt, kvs):
    paged_attention(o, q, kc, vc, n, s, bt, sl, b, m, al, dt, kvs, kvs, 0, 0, 0, 64, 0)
# findings
# 5:5 PAM102 safe
