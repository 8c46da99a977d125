from vllm import _custom_ops as ops

def f(o, e, x, t, q, kc, vc, n, s, bt, sl, b, m, ks, vs):
    fn = ops.paged_attention_v2
    fn(o, e, x, t, q, kc, vc, n, s, bt, sl, b, m, None, "auto", ks, vs)
# output
from paged_attention_shim import paged_attention

def f(o, e, x, t, q, kc, vc, n, s, bt, sl, b, m, ks, vs):
    fn = paged_attention
    fn(o, q, kc, vc, n, s, bt, sl, b, m, None, "auto", ks, vs)
# findings
# 4:10 PAM103 safe
# 5:5 PAM102 safe
