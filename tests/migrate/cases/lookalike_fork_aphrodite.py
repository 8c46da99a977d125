from aphrodite import _custom_ops as ops
from aphrodite._C import ops as old_ops


def decode(batch):
    ops.paged_attention_v2(*batch)
    old_ops.paged_attention_v1(*batch)
