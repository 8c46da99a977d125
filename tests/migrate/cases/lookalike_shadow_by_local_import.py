from vllm import _custom_ops as ops


def decode(batch):
    from mylib import ops

    ops.paged_attention_v1(*batch)


ops.rms_norm(1)
