from vllm._custom_ops import paged_attention_rocm as paged_attention_v1
from vllm import _custom_ops

paged_attention_v2 = _custom_ops.paged_attention_rocm


def decode(batch):
    paged_attention_v1(*batch)
    paged_attention_v2(*batch)
