import torch
from vllm import _custom_ops as ops

PARTITION_SIZE = 256


def attend(o, q, m, rest):
    partitions = (m + PARTITION_SIZE - 1) // PARTITION_SIZE
    e = torch.empty(*q.shape[:2], partitions)
    x = torch.empty_like(e)
    t = torch.empty(*q.shape[:2], partitions, q.shape[2])
    ops.paged_attention_v2(o, e, x, t, q, *rest)
    return o, e
# findings
# 12:5 PAM401
