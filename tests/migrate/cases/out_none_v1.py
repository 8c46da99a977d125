from vllm import _custom_ops as ops


def f(q, rest):
    ops.paged_attention_v1(None, q, *rest)
# output
from paged_attention_shim import paged_attention


def f(q, rest):
    paged_attention(None, q, *rest)
# findings
# 5:5 PAM102 safe
