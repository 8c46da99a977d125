from vllm import _custom_ops as ops


def attend(o, e, x, t, rest):
    ops.consolidated_paged_attention_v2(o, e, x, t, *rest)
    ops.paged_attention_v2(o, e, x, t, *rest)
# output
from paged_attention_shim import paged_attention
from vllm import _custom_ops as ops


def attend(o, e, x, t, rest):
    ops.consolidated_paged_attention_v2(o, e, x, t, *rest)
    paged_attention(o, *rest)
# findings
# 6:5 PAM102 safe
