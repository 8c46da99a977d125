from vllm import LLM, _custom_ops as ops


def attend(batch):
    ops.paged_attention_v1(*batch)
    return LLM
# output
from paged_attention_shim import paged_attention
from vllm import LLM


def attend(batch):
    paged_attention(*batch)
    return LLM
# findings
# 5:5 PAM102 safe
