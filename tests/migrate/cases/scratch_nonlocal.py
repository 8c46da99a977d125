import torch
from vllm import _custom_ops as ops

e = x = t = None


def setup(q):
    global e, x, t
    e = torch.empty(q.shape[:2])
    x = torch.empty_like(e)
    t = torch.empty_like(q)


def f(o, q, rest):
    ops.paged_attention_v2(o, e, x, t, q, *rest)
# output
import torch
from paged_attention_shim import paged_attention

e = x = t = None


def setup(q):
    global e, x, t
    e = torch.empty(q.shape[:2])
    x = torch.empty_like(e)
    t = torch.empty_like(q)


def f(o, q, rest):
    paged_attention(o, q, *rest)
# findings
# 15:5 PAM102 safe
