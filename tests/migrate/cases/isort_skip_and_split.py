# isort: off
from vllm import _custom_ops as ops
# isort: on
import torch


def f(batch):
    ops.paged_attention_v1(*batch)
    return torch
# output
# isort: off
from paged_attention_shim import paged_attention
# isort: on
import torch


def f(batch):
    paged_attention(*batch)
    return torch
# findings
# 8:5 PAM102 safe
