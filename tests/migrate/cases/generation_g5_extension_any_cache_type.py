from vllm._C import ops


def f(o, q, kc, vc, n, s, bt, sl, b, m, dt, kvs):
    ops.paged_attention_v1(o, q, kc, vc, n, s, bt, sl, b, m, None, dt, kvs)
# output
from paged_attention_shim import paged_attention


def f(o, q, kc, vc, n, s, bt, sl, b, m, dt, kvs):
    paged_attention(o, q, kc, vc, n, s, bt, sl, b, m, None, dt, kvs, kvs)
# findings
# 1:21 PAM203 safe
# 5:5 PAM102 safe
