from vllm._C import ops

def f(o, q, kc, vc, n, s, bt, cl, b, m):
    ops.paged_attention_v1(o, q, kc, vc, n, s, bt, cl, b, m, None, "fp8", 1.0)
# output --unsafe
from paged_attention_shim import paged_attention

def f(o, q, kc, vc, n, s, bt, cl, b, m):
    paged_attention(o, q, kc, vc, n, s, bt, cl, b, m, None, "fp8_e5m2", 1.0, 1.0)
# findings
# 1:21 PAM203 unsafe
# 4:5 PAM408 unsafe
