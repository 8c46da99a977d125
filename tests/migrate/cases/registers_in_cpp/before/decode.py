import torch
from vllm import _custom_ops as ops


def attend(batch):
    torch.ops._C.paged_attention_v1(*batch)
    ops.paged_attention_v1(*batch)
