import torch
from vllm import _custom_ops as ops


def attend(o, q, n, rest):
    sums, peaks, tmp = torch.empty(n), torch.empty(n), torch.empty(n)
    buffers = (sums, peaks, tmp)
    ops.paged_attention_v2(o, sums, peaks, tmp, q, *rest)
    return o, buffers
# findings
# 8:5 PAM401
