import os

if os.environ.get("X"):
    from vllm import _custom_ops as ops


def f(batch):
    ops.paged_attention_v1(*batch)
    ops.reshape_and_cache(*batch)
# output
import os

if os.environ.get("X"):
    from paged_attention_shim import paged_attention
    from vllm import _custom_ops as ops


def f(batch):
    paged_attention(*batch)
    ops.reshape_and_cache(*batch)
# findings
# 8:5 PAM102 safe
