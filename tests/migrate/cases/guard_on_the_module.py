from vllm import _custom_ops as ops


def run(batch, fallback):
    if hasattr(ops, "paged_attention_v1"):
        ops.paged_attention_v1(*batch)
    else:
        fallback(*batch)
# output
from paged_attention_shim import paged_attention
from vllm import _custom_ops as ops


def run(batch, fallback):
    if hasattr(ops, "paged_attention_v1"):
        paged_attention(*batch)
    else:
        fallback(*batch)
# findings
# 5:21 PAM105
# 6:9 PAM102 safe
