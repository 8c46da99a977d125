from vllm import _custom_ops as ops


def decode(batch, ops=None):
    return ops and ops.rms_norm(*batch)


ops.rms_norm(1)
