import vllm._custom_ops

def f(o, e, x, t, q, kc, vc, n, s, bt, sl, b, m, ks, vs):
    vllm._custom_ops.paged_attention_v1(o, q, kc, vc, n, s, bt, sl, b, m, None, "auto", ks, vs)
# output
from paged_attention_shim import paged_attention

def f(o, e, x, t, q, kc, vc, n, s, bt, sl, b, m, ks, vs):
    paged_attention(o, q, kc, vc, n, s, bt, sl, b, m, None, "auto", ks, vs)
# findings
# 4:5 PAM102 safe
