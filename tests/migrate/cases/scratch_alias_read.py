import torch
from vllm import _custom_ops as ops


def attend(o, q, n, rest):
    sums, peaks, tmp = torch.empty(n), torch.empty(n), torch.empty(n)
    keep = sums
    ops.paged_attention_v2(o, sums, peaks, tmp, q, *rest)
    return keep.log()
# findings
# 8:5 PAM401
