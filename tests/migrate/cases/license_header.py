# Copyright 2024 Someone
# SPDX-License-Identifier: Apache-2.0
from vllm import _custom_ops as ops
import torch


def f(batch, caches):
    ops.paged_attention_v1(*batch)
    return ops.reshape_and_cache(*caches), torch
# output
# Copyright 2024 Someone
# SPDX-License-Identifier: Apache-2.0
from vllm import _custom_ops as ops
import torch
from paged_attention_shim import paged_attention


def f(batch, caches):
    paged_attention(*batch)
    return ops.reshape_and_cache(*caches), torch
# findings
# 8:5 PAM102 safe
