import torch
from tests.kernels.utils import opcheck


def test_attend(batch):
    opcheck(torch.ops._C.paged_attention_v1, batch)  # expect: PAM111
