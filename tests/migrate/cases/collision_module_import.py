import paged_attention
from vllm import _custom_ops as ops


def attend(batch):
    ops.paged_attention_v1(*batch)
    paged_attention.check(*batch)
# output
import paged_attention
from paged_attention_shim import paged_attention as shim_paged_attention


def attend(batch):
    shim_paged_attention(*batch)
    paged_attention.check(*batch)
# findings
# 6:5 PAM102 safe
