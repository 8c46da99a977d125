import torch as th


def f(batch):
    return th.ops._C.paged_attention_v1(*batch)
# output
from paged_attention_shim import paged_attention


def f(batch):
    return paged_attention(*batch)
# findings
# 5:12 PAM102 safe
