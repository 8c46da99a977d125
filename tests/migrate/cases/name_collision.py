from vllm import _custom_ops as ops

def paged_attention(o, e, x, t, q, kc, vc, n, s, bt, sl, b, m, ks, vs):
    ops.paged_attention_v1(o, q, kc, vc, n, s, bt, sl, b, m, None, "auto", ks, vs)
# output
from paged_attention_shim import paged_attention as shim_paged_attention

def paged_attention(o, e, x, t, q, kc, vc, n, s, bt, sl, b, m, ks, vs):
    shim_paged_attention(o, q, kc, vc, n, s, bt, sl, b, m, None, "auto", ks, vs)
# findings
# 4:5 PAM102 safe
