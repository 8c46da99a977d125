from vllm import _custom_ops as ops


def f(batch):
    output = ops.paged_attention_v1(*batch)
    return output if output is not None else batch[0]
# output
from paged_attention_shim import paged_attention


def f(batch):
    output = paged_attention(*batch)
    return output if output is not None else batch[0]
# findings
# 5:14 PAM102 safe
