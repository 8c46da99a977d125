import torch
from vllm import _custom_ops as ops


def f(o, q, rest):
    e, x, t = (torch.empty(q.shape[:2]), torch.empty(q.shape[:2]), torch.empty_like(q))
    ops.paged_attention_v2(o, e, x, t, q, *rest)
# output
from paged_attention_shim import paged_attention


def f(o, q, rest):
    paged_attention(o, q, *rest)
# findings
# 7:5 PAM102 safe
