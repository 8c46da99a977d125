import torch
from vllm import _custom_ops as ops


def attend(o, e, x, t, rest):
    kept = []
    kept += [e]
    ops.paged_attention_v2(o, e, x, t, *rest)
    return kept
# findings
# 8:5 PAM401
