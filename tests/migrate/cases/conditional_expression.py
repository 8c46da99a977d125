from vllm import _custom_ops as ops

def f(fast, o, e, x, t, q, kc, vc, n, s, bt, sl, b, m, ks, vs):
    fn = ops.paged_attention_v1 if fast else None
    if fn:
        fn(o, q, kc, vc, n, s, bt, sl, b, m, None, "auto", ks, vs)
# output
from paged_attention_shim import paged_attention

def f(fast, o, e, x, t, q, kc, vc, n, s, bt, sl, b, m, ks, vs):
    fn = paged_attention if fast else None
    if fn:
        fn(o, q, kc, vc, n, s, bt, sl, b, m, None, "auto", ks, vs)
# findings
# 4:10 PAM103 safe
