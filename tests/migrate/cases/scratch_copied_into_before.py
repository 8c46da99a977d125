import torch
from vllm import _custom_ops as ops


def attend(o, e, x, t, rest, start):
    e.copy_(start)
    ops.paged_attention_v2(o, e, x, t, *rest)
    return start
# output
import torch
from paged_attention_shim import paged_attention


def attend(o, e, x, t, rest, start):
    e.copy_(start)
    paged_attention(o, *rest)
    return start
# findings
# 7:5 PAM102 safe
