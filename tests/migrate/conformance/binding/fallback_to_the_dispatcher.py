import torch
from vllm import _custom_ops as vllm_ops

if not hasattr(vllm_ops, "paged_attention_v1"):  # expect: PAM105
    vllm_ops = torch.ops._C


def attend(batch):
    vllm_ops.paged_attention_v1(*batch)  # expect: PAM102
