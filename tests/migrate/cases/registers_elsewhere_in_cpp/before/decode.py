import torch


def attend(batch):
    torch.ops._C.paged_attention_v1(*batch)
