from vllm import _custom_ops as ops


def kernel():
    return ops.paged_attention_v2


def f(o, e, x, t, rest):
    kernel()(o, e, x, t, *rest)
# findings
# 5:12 PAM103
