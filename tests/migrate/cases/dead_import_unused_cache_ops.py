from vllm._C import cache_ops, ops


def f(o, q, kc, vc, n, s, bt, cl, b, m):
    ops.paged_attention_v1(o, q, kc, vc, n, s, bt, cl, b, m, None, "auto")
# output
from paged_attention_shim import paged_attention


def f(o, q, kc, vc, n, s, bt, cl, b, m):
    paged_attention(o, q, kc, vc, n, s, bt, cl, b, m, None, "auto")
# findings
# 1:21 PAM203 safe
# 1:32 PAM203 safe
# 5:5 PAM102 safe
