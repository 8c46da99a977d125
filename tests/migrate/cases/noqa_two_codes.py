from vllm import _custom_ops as ops


def attend(batch, o, e, x, t):
    ops.paged_attention_v1(*batch)  # noqa: E501, PAM102
    ops.paged_attention_v2(o, e, x, t, *batch)
# output
from paged_attention_shim import paged_attention
from vllm import _custom_ops as ops


def attend(batch, o, e, x, t):
    ops.paged_attention_v1(*batch)  # noqa: E501, PAM102
    paged_attention(o, *batch)
# findings
# 6:5 PAM102 safe
