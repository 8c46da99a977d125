try:
    import triton  # noqa: F401
except ImportError:
    ops = None
else:
    from vllm import _custom_ops as ops


def attend(batch):
    ops.paged_attention_v1(*batch)  # expect: PAM102
