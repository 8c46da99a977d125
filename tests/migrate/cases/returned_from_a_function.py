from vllm import _custom_ops as ops


def kernel():
    return ops.paged_attention_v1


def f(batch):
    kernel()(*batch)
# output
from paged_attention_shim import paged_attention


def kernel():
    return paged_attention


def f(batch):
    kernel()(*batch)
# findings
# 5:12 PAM103 safe
