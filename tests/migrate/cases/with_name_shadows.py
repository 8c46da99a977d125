from mylib import open_backend
from vllm import _custom_ops as ops


def f(batch):
    with open_backend() as ops:
        ops.paged_attention_v1(*batch)
