from vllm._C import ops


def f(o, q, kc, vc, s, bt, cl, b, m):
    ops.paged_attention_v1(o, q, kc, vc, 8, s, bt, cl, b, m, None)
# output
from paged_attention_shim import paged_attention


def f(o, q, kc, vc, s, bt, cl, b, m):
    paged_attention(o, q, kc, vc, 8, s, bt, cl, b, m, None)
# findings
# 1:21 PAM203 safe
# 5:5 PAM102 safe
