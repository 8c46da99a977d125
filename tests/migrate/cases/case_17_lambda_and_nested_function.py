import triton
from vllm import _custom_ops as ops

def timed(o, q, kc, vc, n, s, bt, sl, b, m, ks, vs):
    def run():
        ops.paged_attention_v1(o, q, kc, vc, n, s, bt, sl, b, m, None, "auto", ks, vs)
        return o
    a = triton.testing.do_bench(run)
    z = triton.testing.do_bench(lambda: ops.paged_attention_v1(o, q, kc, vc, n, s, bt, sl, b, m, None, "auto", ks, vs))
    return a, z
# output
import triton
from paged_attention_shim import paged_attention

def timed(o, q, kc, vc, n, s, bt, sl, b, m, ks, vs):
    def run():
        paged_attention(o, q, kc, vc, n, s, bt, sl, b, m, None, "auto", ks, vs)
        return o
    a = triton.testing.do_bench(run)
    z = triton.testing.do_bench(lambda: paged_attention(o, q, kc, vc, n, s, bt, sl, b, m, None, "auto", ks, vs))
    return a, z
# findings
# 6:9 PAM102 safe
# 9:41 PAM102 safe
