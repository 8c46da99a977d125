import torch
from paged_attention_shim import paged_attention


def attend(batch):
    torch.ops._C.paged_attention_v1(*batch)
    paged_attention(*batch)
