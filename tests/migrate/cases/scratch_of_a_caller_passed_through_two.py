import torch
from vllm import _custom_ops as ops


def inner(o, e, x, t, rest):
    ops.paged_attention_v2(o, e, x, t, *rest)


def outer(o, e, x, t, rest):
    inner(o, e, x, t, rest)


def main(o, n, rest):
    sums, peaks, tmp = torch.empty(n), torch.empty(n), torch.empty(n)
    outer(o, sums, peaks, tmp, rest)
    return tmp
# findings
# 6:5 PAM401
