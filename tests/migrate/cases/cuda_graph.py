import torch
from vllm import _custom_ops as ops


def f(g, o, e, x, t, rest):
    with torch.cuda.graph(g):
        ops.paged_attention_v2(o, e, x, t, *rest)
    g.replay()
    return o
# output
import torch
from paged_attention_shim import paged_attention


def f(g, o, e, x, t, rest):
    with torch.cuda.graph(g):
        paged_attention(o, *rest)
    g.replay()
    return o
# findings
# 7:9 PAM102 safe
