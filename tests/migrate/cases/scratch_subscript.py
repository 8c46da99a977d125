from vllm import _custom_ops as ops


def f(o, q, scratch, rest):
    ops.paged_attention_v2(o, scratch[0], scratch[1], scratch[2], q, *rest)
# output
from paged_attention_shim import paged_attention


def f(o, q, scratch, rest):
    paged_attention(o, q, *rest)
# findings
# 5:5 PAM102 safe
