from paged_attention_shim import paged_attention
from vllm import _custom_ops as ops


def run(batch):
    paged_attention(*batch)
