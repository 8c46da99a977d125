from vllm.plugins.mine._custom_ops import paged_attention_v1
from vllm.plugins.mine import _custom_ops as ops


def decode(batch):
    paged_attention_v1(*batch)
    ops.paged_attention_v2(*batch)
