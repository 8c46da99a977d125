import torch
from vllm import _custom_ops as ops


def attend(o, e, x, t, rest):
    ops.paged_attention_v2(o, e, x, t, *rest)


def main(o, n, rest):
    sums, peaks, tmp = torch.empty(n), torch.empty(n), torch.empty(n)
    sums.zero_()
    attend(o, sums, peaks, tmp, rest)
    attend(o, sums, peaks, tmp, rest)
    return o
# output
import torch
from paged_attention_shim import paged_attention


def attend(o, e, x, t, rest):
    paged_attention(o, *rest)


def main(o, n, rest):
    sums, peaks, tmp = torch.empty(n), torch.empty(n), torch.empty(n)
    sums.zero_()
    attend(o, sums, peaks, tmp, rest)
    attend(o, sums, peaks, tmp, rest)
    return o
# findings
# 6:5 PAM102 safe
