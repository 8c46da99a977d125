from vllm import _custom_ops as ops

def f(o, q, kc, vc, n, s, bt, sl, b, m, al, dt, kv):
    ops.paged_attention_v1(o, q, kc, vc, n, s, bt, sl, b, m, al, dt, kv, 0, 0, 0, 64, 0)
# output
from paged_attention_shim import paged_attention

def f(o, q, kc, vc, n, s, bt, sl, b, m, al, dt, kv):
    paged_attention(o, q, kc, vc, n, s, bt, sl, b, m, al, dt, kv, kv, 0, 0, 0, 64, 0)
# findings
# 4:5 PAM102 safe
