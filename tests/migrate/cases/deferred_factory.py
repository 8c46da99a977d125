from vllm import _custom_ops as ops


def make(o, e, x, t, rest):
    return lambda: ops.paged_attention_v2(o, e, x, t, *rest)
# output
from paged_attention_shim import paged_attention


def make(o, e, x, t, rest):
    return lambda: paged_attention(o, *rest)
# findings
# 5:20 PAM102 safe
