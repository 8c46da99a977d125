from vllm import _custom_ops as ops


def run(batch):
    ops.paged_attention_v1(*batch)


def other(ops, batch):
    ops.rms_norm(*batch)
# output
from paged_attention_shim import paged_attention


def run(batch):
    paged_attention(*batch)


def other(ops, batch):
    ops.rms_norm(*batch)
# findings
# 5:5 PAM102 safe
