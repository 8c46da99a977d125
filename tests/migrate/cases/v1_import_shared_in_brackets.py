from vllm import (
    _custom_ops as ops,  # kernels
    envs,
)


def attend(batch):
    if envs.VLLM_USE_V1:
        ops.paged_attention_v1(*batch)
# output
from paged_attention_shim import paged_attention
from vllm import (
    # kernels
    envs,
)


def attend(batch):
    if envs.VLLM_USE_V1:
        paged_attention(*batch)
# findings
# 9:9 PAM102 safe
