from torch import ops as torch_ops


def f(batch):
    torch_ops._C.paged_attention_v1(*batch)
    torch_ops.aiter.paged_attention_v1(*batch)
# output
from paged_attention_shim import paged_attention
from torch import ops as torch_ops


def f(batch):
    paged_attention(*batch)
    torch_ops.aiter.paged_attention_v1(*batch)
# findings
# 5:5 PAM102 safe
