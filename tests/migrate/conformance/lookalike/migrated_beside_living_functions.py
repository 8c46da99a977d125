from paged_attention_shim import paged_attention
from vllm import _custom_ops as ops


def attend(batch, caches):
    ops.reshape_and_cache(*caches)
    paged_attention(*batch)
