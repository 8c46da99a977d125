import torch
from vllm import _custom_ops as ops

torch.ops.load_library("own.so")


def run(batch, long_batch):
    ops.paged_attention_v1(*batch)
    torch.ops._C.paged_attention_v1(*long_batch)
# output
import torch
from paged_attention_shim import paged_attention

torch.ops.load_library("own.so")


def run(batch, long_batch):
    paged_attention(*batch)
    torch.ops._C.paged_attention_v1(*long_batch)
# findings
# 8:5 PAM102 safe
# 9:5 PAM406
