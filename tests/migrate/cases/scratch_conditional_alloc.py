import torch
from vllm import _custom_ops as ops


def f(v2, o, q, rest):
    if v2:
        e = torch.empty(q.shape[:2])
        x = torch.empty_like(e)
        t = torch.empty_like(q)
    if v2:
        ops.paged_attention_v2(o, e, x, t, q, *rest)
    else:
        ops.paged_attention_v1(o, q, *rest)
# output
from paged_attention_shim import paged_attention


def f(v2, o, q, rest):
    paged_attention(o, q, *rest)
# findings
# 11:9 PAM102 safe
# 13:9 PAM102 safe
