from vllm import _custom_ops as ops


def f(batch):
    if kernel := ops.paged_attention_v1:
        kernel(*batch)
# output
from paged_attention_shim import paged_attention


def f(batch):
    if kernel := paged_attention:
        kernel(*batch)
# findings
# 5:18 PAM103 safe
