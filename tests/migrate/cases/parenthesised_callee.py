from vllm import _custom_ops as ops


def f(batch):
    (ops.paged_attention_v1)(*batch)
    (
        ops
        .paged_attention_v1  # one
        (*batch)
    )
    ops . paged_attention_v1 (*batch)
# output
from paged_attention_shim import paged_attention


def f(batch):
    (paged_attention)(*batch)
    (
        paged_attention  # one
        (*batch)
    )
    paged_attention (*batch)
# findings
# 5:6 PAM102 safe
# 7:9 PAM102 safe
# 11:5 PAM102 safe
