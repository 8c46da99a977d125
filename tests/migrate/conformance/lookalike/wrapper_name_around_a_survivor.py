from vllm import _custom_ops as ops


def call_paged_attention_v2(batch):
    return ops.paged_attention_rocm(*batch)


def paged_attention_v2_forward(batch):
    return call_paged_attention_v2(batch)
