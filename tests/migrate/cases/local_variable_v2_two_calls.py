from vllm import _custom_ops as ops


def f(o, e, x, t, rest):
    kernel = ops.paged_attention_v2
    kernel(o, e, x, t, *rest)
    kernel(o, e, x, t, *rest)
# output
from paged_attention_shim import paged_attention


def f(o, e, x, t, rest):
    kernel = paged_attention
    kernel(o, *rest)
    kernel(o, *rest)
# findings
# 5:14 PAM103 safe
# 6:5 PAM102 safe
# 7:5 PAM102 safe
