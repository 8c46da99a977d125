from vllm import _custom_ops as ops


def f(batch): ops.paged_attention_v1(*batch)


def g(batch):
    if batch: ops.paged_attention_v1(*batch); return 1
    else: return 2
# output
from paged_attention_shim import paged_attention


def f(batch): paged_attention(*batch)


def g(batch):
    if batch: paged_attention(*batch); return 1
    else: return 2
# findings
# 4:15 PAM102 safe
# 8:15 PAM102 safe
