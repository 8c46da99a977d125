import pytest
import torch


@pytest.mark.skipif(not hasattr(torch.ops._C, "paged_attention_v1"), reason="no kernels")
def test_decode(batch):
    torch.ops._C.paged_attention_v1(*batch)
# output
import pytest
import torch
from paged_attention_shim import paged_attention


@pytest.mark.skipif(not hasattr(torch.ops._C, "paged_attention_v1"), reason="no kernels")
def test_decode(batch):
    paged_attention(*batch)
# findings
# 5:47 PAM105
# 7:5 PAM102 safe
