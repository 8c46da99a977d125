import torch


def paged_attention_v1(*batch):
    torch.ops._C.paged_attention_v1(*batch)


def paged_attention_v2(*batch):
    torch.ops._C.paged_attention_v2(*batch)
