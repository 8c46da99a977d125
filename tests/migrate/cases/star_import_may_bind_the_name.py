from mylib import *
from vllm import _custom_ops as ops

def f(o, e, x, t, q, kc, vc, n, s, bt, sl, b, m, ks, vs):
    ops.paged_attention_v1(o, q, kc, vc, n, s, bt, sl, b, m, None, "auto", ks, vs)
    paged_attention(q)
# output
from mylib import *
from paged_attention_shim import paged_attention as shim_paged_attention

def f(o, e, x, t, q, kc, vc, n, s, bt, sl, b, m, ks, vs):
    shim_paged_attention(o, q, kc, vc, n, s, bt, sl, b, m, None, "auto", ks, vs)
    paged_attention(q)
# findings
# 5:5 PAM102 safe
