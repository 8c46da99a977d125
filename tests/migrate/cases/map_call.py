from vllm import _custom_ops as ops


def f(batches):
    return list(map(lambda b: ops.paged_attention_v1(*b), batches)), list(map(ops.paged_attention_v1, *zip(*batches)))
# output
from paged_attention_shim import paged_attention


def f(batches):
    return list(map(lambda b: paged_attention(*b), batches)), list(map(paged_attention, *zip(*batches)))
# findings
# 5:31 PAM102 safe
# 5:79 PAM103 safe
