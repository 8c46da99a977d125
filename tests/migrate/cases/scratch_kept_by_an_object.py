import torch
from vllm import _custom_ops as ops


def attend(o, e, x, t, rest, pool):
    pool.keep(e)
    ops.paged_attention_v2(o, e, x, t, *rest)
    return pool.total()
# findings
# 7:5 PAM401
