import torch
from vllm import _custom_ops as ops


def attend(o, q, n, rest):
    parts, width = q.shape
    sums, peaks, tmp = torch.empty(width), torch.empty(width), torch.empty(width)
    parts += 1
    ops.paged_attention_v2(o, sums, peaks, tmp, q, *rest)
# output
from paged_attention_shim import paged_attention


def attend(o, q, n, rest):
    parts, width = q.shape
    parts += 1
    paged_attention(o, q, *rest)
# findings
# 9:5 PAM102 safe
