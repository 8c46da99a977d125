import os
import sys

import torch
import triton
from transformers import AutoTokenizer

# The kernels.
from vllm import _custom_ops as ops
from vllm.utils import cdiv


def attend(batch):
    ops.paged_attention_v1(*batch)
    return os, sys, torch, triton, AutoTokenizer, cdiv
# output
import os
import sys

import torch
import triton
from transformers import AutoTokenizer

# The kernels.
from paged_attention_shim import paged_attention
from vllm.utils import cdiv


def attend(batch):
    paged_attention(*batch)
    return os, sys, torch, triton, AutoTokenizer, cdiv
# findings
# 14:5 PAM102 safe
