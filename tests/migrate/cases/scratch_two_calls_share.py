import torch
from vllm import _custom_ops as ops


def attend(o, p, q, rest):
    e = torch.empty(q.shape[:2])
    x = torch.empty_like(e)
    t = torch.empty_like(q)
    ops.paged_attention_v2(o, e, x, t, q, *rest)
    ops.paged_attention_v2(p, e, x, t, q, *rest)
# output
from paged_attention_shim import paged_attention


def attend(o, p, q, rest):
    paged_attention(o, q, *rest)
    paged_attention(p, q, *rest)
# findings
# 9:5 PAM102 safe
# 10:5 PAM102 safe
