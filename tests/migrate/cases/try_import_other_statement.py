try:
    from vllm import _custom_ops as ops
    from vllm.utils import cdiv
except ImportError:
    ops = cdiv = None


def f(batch):
    ops.paged_attention_v1(*batch)
    return cdiv(1, 2)
# output
try:
    from paged_attention_shim import paged_attention
    from vllm.utils import cdiv
except ImportError:
    paged_attention = cdiv = None


def f(batch):
    paged_attention(*batch)
    return cdiv(1, 2)
# findings
# 9:5 PAM102 safe
