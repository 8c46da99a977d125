from mylib import paged_attention, shim_paged_attention
from vllm import _custom_ops as ops


def attend(batch):
    ops.paged_attention_v1(*batch)
    paged_attention(*batch)
    shim_paged_attention(*batch)
# output
from mylib import paged_attention, shim_paged_attention
from paged_attention_shim import paged_attention as shim_paged_attention_2


def attend(batch):
    shim_paged_attention_2(*batch)
    paged_attention(*batch)
    shim_paged_attention(*batch)
# findings
# 6:5 PAM102 safe
