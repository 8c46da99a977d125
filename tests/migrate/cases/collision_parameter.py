from vllm import _custom_ops as ops


def attend(paged_attention, batch):
    ops.paged_attention_v1(*batch)
    return paged_attention
# output
from paged_attention_shim import paged_attention as shim_paged_attention


def attend(paged_attention, batch):
    shim_paged_attention(*batch)
    return paged_attention
# findings
# 5:5 PAM102 safe
