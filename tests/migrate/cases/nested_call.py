from vllm import _custom_ops as ops


def f(o, e, x, t, q, rest, wrap):
    ops.paged_attention_v2(wrap(ops.paged_attention_v1(o, q, *rest)), e, x, t, q, *rest)
# output
from paged_attention_shim import paged_attention


def f(o, e, x, t, q, rest, wrap):
    paged_attention(wrap(paged_attention(o, q, *rest)), q, *rest)
# findings
# 5:5 PAM102 safe
# 5:33 PAM102 safe
