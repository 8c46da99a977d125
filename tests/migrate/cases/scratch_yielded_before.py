import torch
from vllm import _custom_ops as ops


def attend(o, e, x, t, rest):
    yield e
    ops.paged_attention_v2(o, e, x, t, *rest)
# findings
# 7:5 PAM401
