import torch

try:
    _native = torch.ops._C.paged_attention_v1
except AttributeError:
    _native = None


def run(batch, fallback):
    (_native or fallback)(*batch)
# output
from paged_attention_shim import paged_attention

try:
    _native = paged_attention
except AttributeError:
    _native = None


def run(batch, fallback):
    (_native or fallback)(*batch)
# findings
# 4:15 PAM103 safe
# 5:1 PAM108
