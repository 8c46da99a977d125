from vllm import _custom_ops as ops
from mykernels import ops


def attend(batch):
    ops.paged_attention_v1(*batch)
