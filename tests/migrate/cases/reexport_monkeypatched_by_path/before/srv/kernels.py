from vllm import _custom_ops as ops


def run(batch):
    ops.paged_attention_v1(*batch)
