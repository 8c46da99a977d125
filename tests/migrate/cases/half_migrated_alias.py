from paged_attention_shim import paged_attention as pa
from vllm import _custom_ops as ops


def attend(batch):
    pa(*batch)
    ops.paged_attention_v1(*batch)
# output
from paged_attention_shim import paged_attention as pa


def attend(batch):
    pa(*batch)
    pa(*batch)
# findings
# 7:5 PAM102 safe
