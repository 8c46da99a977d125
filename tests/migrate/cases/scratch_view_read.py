import torch
from vllm import _custom_ops as ops


def attend(o, q, n, rest):
    arena = torch.empty(3, n)
    sums, peaks, tmp = arena.unbind(0)
    ops.paged_attention_v2(o, sums, peaks, tmp, q, *rest)
    return arena[0]
# findings
# 8:5 PAM401
