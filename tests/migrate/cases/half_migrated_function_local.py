from vllm import _custom_ops as ops


def attend(batch):
    from paged_attention_shim import paged_attention
    paged_attention(*batch)


def attend_too(batch):
    ops.paged_attention_v1(*batch)
# output
from paged_attention_shim import paged_attention


def attend(batch):
    from paged_attention_shim import paged_attention
    paged_attention(*batch)


def attend_too(batch):
    paged_attention(*batch)
# findings
# 10:5 PAM102 safe
