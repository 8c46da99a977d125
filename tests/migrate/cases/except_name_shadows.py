from vllm import _custom_ops as ops


def f():
    try:
        ops.rms_norm(1)
    except RuntimeError as ops:
        return ops.paged_attention_v1
