import torch
from vllm import _custom_ops as ops


def attend(o, q, n, rest):
    first = sums = torch.empty(n)
    peaks, tmp = torch.empty(n), torch.empty(n)
    ops.paged_attention_v2(o, sums, peaks, tmp, q, *rest)
    return first
# findings
# 8:5 PAM401
