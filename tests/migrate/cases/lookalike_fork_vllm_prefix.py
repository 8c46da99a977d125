import vllm_volta._custom_ops as ops
from vllm_ascend import _custom_ops


def decode(batch):
    ops.paged_attention_v1(*batch)
    _custom_ops.paged_attention_v2(*batch)
