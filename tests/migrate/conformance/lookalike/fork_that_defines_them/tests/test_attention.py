from vllm import _custom_ops as ops


def test_decode(batch):
    ops.paged_attention_v1(*batch)
