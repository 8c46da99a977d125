import torch


def f(batch):
    torch.ops._C.paged_attention_v1(*batch)
