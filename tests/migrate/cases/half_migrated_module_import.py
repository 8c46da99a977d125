import paged_attention_shim
from vllm import _custom_ops as ops


def attend(batch):
    paged_attention_shim.paged_attention(*batch)
    ops.paged_attention_v1(*batch)
# output
import paged_attention_shim
from paged_attention_shim import paged_attention


def attend(batch):
    paged_attention_shim.paged_attention(*batch)
    paged_attention(*batch)
# findings
# 7:5 PAM102 safe
