from vllm import _custom_ops as ops

__all__ = ["ops", "f"]


def f(batch):
    ops.paged_attention_v1(*batch)
# output
from paged_attention_shim import paged_attention
from vllm import _custom_ops as ops

__all__ = ["ops", "f"]


def f(batch):
    paged_attention(*batch)
# findings
# 7:5 PAM102 safe
