from vllm import _custom_ops as ops


def attend(batch):
    ops.paged_attention_v1(*batch)  # noqa: E501
# output
from paged_attention_shim import paged_attention


def attend(batch):
    paged_attention(*batch)  # noqa: E501
# findings
# 5:5 PAM102 safe
