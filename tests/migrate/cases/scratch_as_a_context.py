import torch
from vllm import _custom_ops as ops


def attend(o, e, x, t, rest):
    with hold(e) as held:
        ops.paged_attention_v2(o, e, x, t, *rest)
        return held.sum()
# findings
# 7:9 PAM401
