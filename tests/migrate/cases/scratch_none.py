from vllm import _custom_ops as ops


def f(o, q, rest):
    ops.paged_attention_v2(o, None, None, None, q, *rest)
# output
from paged_attention_shim import paged_attention


def f(o, q, rest):
    paged_attention(o, q, *rest)
# findings
# 5:5 PAM102 safe
