import torch
from vllm import _custom_ops as ops


def f(o, q, layers, rest):
    e = torch.empty(q.shape[:2])
    x = torch.empty_like(e)
    t = torch.empty_like(q)
    for layer in layers:
        e.zero_()
        ops.paged_attention_v2(o, e, x, t, q, *rest)
# findings
# 11:9 PAM401
