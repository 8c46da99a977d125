from vllm import _custom_ops as ops


def run(batch):
    from vllm import _custom_ops as ops
    ops.paged_attention_v1(*batch)


def write(caches):
    ops.reshape_and_cache(*caches)
# output
from vllm import _custom_ops as ops


def run(batch):
    from paged_attention_shim import paged_attention
    paged_attention(*batch)


def write(caches):
    ops.reshape_and_cache(*caches)
# findings
# 6:5 PAM102 safe
