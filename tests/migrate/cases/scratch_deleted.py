import torch
from vllm import _custom_ops as ops


def f(o, q, rest):
    e = torch.empty(q.shape[:2])
    x = torch.empty_like(e)
    t = torch.empty_like(q)
    ops.paged_attention_v2(o, e, x, t, q, *rest)
    del e, x, t
    return o
# output
from paged_attention_shim import paged_attention


def f(o, q, rest):
    paged_attention(o, q, *rest)
    return o
# findings
# 9:5 PAM102 safe
