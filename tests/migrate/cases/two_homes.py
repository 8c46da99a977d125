try:
    from vllm import _custom_ops as ops
except ImportError:
    from vllm._C import ops

def f(o, e, x, t, q, kc, vc, n, s, bt, sl, b, m, ks, vs):
    ops.paged_attention_v1(o, q, kc, vc, n, s, bt, sl, b, m, None, "auto", ks, vs)
# output
from paged_attention_shim import paged_attention

def f(o, e, x, t, q, kc, vc, n, s, bt, sl, b, m, ks, vs):
    paged_attention(o, q, kc, vc, n, s, bt, sl, b, m, None, "auto", ks, vs)
# findings
# 4:25 PAM203 safe
# 7:5 PAM102 safe
