import torch

VLLM_OPS = torch.ops._C


def attend(batch):
    VLLM_OPS.paged_attention_v1(*batch)  # expect: PAM102
