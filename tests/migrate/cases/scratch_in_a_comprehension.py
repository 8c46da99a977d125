import torch
from vllm import _custom_ops as ops


def attend(o, e, x, t, rest):
    kept = {name: buffer for name, buffer in zip('ex', (e, x))}
    ops.paged_attention_v2(o, e, x, t, *rest)
    return kept
# findings
# 7:5 PAM401
