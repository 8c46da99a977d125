from vllm import _custom_ops as ops

one, two = ops.paged_attention_v1, ops.reshape_and_cache


def f(batch):
    one(*batch)
# output
from paged_attention_shim import paged_attention
from vllm import _custom_ops as ops

one, two = paged_attention, ops.reshape_and_cache


def f(batch):
    one(*batch)
# findings
# 3:12 PAM103 safe
