import warnings

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from vllm import _custom_ops as ops


def run(batch):
    ops.paged_attention_v1(*batch)
# output
import warnings

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from paged_attention_shim import paged_attention


def run(batch):
    paged_attention(*batch)
# findings
# 9:5 PAM102 safe
