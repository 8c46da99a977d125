from vllm import _custom_ops as ops

async def f(o, e, x, t, q, kc, vc, n, s, bt, sl, b, m, ks, vs):
    class A:
        def g(self):
            return [ops.paged_attention_v1(o, q, kc, vc, n, s, bt, sl, b, m, None, "auto", ks, vs) for _ in range(3)]
    return A
# output
from paged_attention_shim import paged_attention

async def f(o, e, x, t, q, kc, vc, n, s, bt, sl, b, m, ks, vs):
    class A:
        def g(self):
            return [paged_attention(o, q, kc, vc, n, s, bt, sl, b, m, None, "auto", ks, vs) for _ in range(3)]
    return A
# findings
# 6:21 PAM102 safe
