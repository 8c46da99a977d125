import torch
from torch.library import opcheck


def test_decode(batch):
    opcheck(torch.ops.mine.paged_attention_v1, batch)
