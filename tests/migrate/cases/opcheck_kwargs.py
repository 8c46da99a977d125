import torch
from torch.library import opcheck


def test_op(batch):
    opcheck(torch.ops._C.paged_attention_v2, args=batch, cond=batch[0].is_cuda)
# findings
# 6:13 PAM111
