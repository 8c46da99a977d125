import torch
from vllm import _custom_ops as ops


def attend(o, q, n, rest):
    sums, peaks, tmp = torch.empty(n), torch.empty(n), torch.empty(n)
    for buffer in (sums, peaks):
        buffer.zero_()
    ops.paged_attention_v2(o, sums, peaks, tmp, q, *rest)
# output
import torch
from paged_attention_shim import paged_attention


def attend(o, q, n, rest):
    sums, peaks, tmp = torch.empty(n), torch.empty(n), torch.empty(n)
    for buffer in (sums, peaks):
        buffer.zero_()
    paged_attention(o, q, *rest)
# findings
# 9:5 PAM102 safe
