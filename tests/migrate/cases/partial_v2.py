import functools
from vllm import _custom_ops as ops

def f(o, e, x, t, q, kc, vc, n, s, bt, sl, b, m, ks, vs):
    run = functools.partial(ops.paged_attention_v2, o, e, x, t, q)
    run(kc, vc, n, s, bt, sl, b, m, None, "auto", ks, vs)
# output
import functools
from paged_attention_shim import paged_attention

def f(o, e, x, t, q, kc, vc, n, s, bt, sl, b, m, ks, vs):
    run = functools.partial(paged_attention, o, q)
    run(kc, vc, n, s, bt, sl, b, m, None, "auto", ks, vs)
# findings
# 5:29 PAM102 safe
