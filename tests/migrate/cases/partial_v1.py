from functools import partial
from vllm import _custom_ops as ops

def f(o, e, x, t, q, kc, vc, n, s, bt, sl, b, m, ks, vs):
    run = partial(ops.paged_attention_v1, o, q, kc, vc)
    run(n, s, bt, sl, b, m, None, "auto", ks, vs)
# output
from functools import partial
from paged_attention_shim import paged_attention

def f(o, e, x, t, q, kc, vc, n, s, bt, sl, b, m, ks, vs):
    run = partial(paged_attention, o, q, kc, vc)
    run(n, s, bt, sl, b, m, None, "auto", ks, vs)
# findings
# 5:19 PAM102 safe
