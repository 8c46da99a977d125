from vllm import _custom_ops as ops


def f(o, rest, make):
    ops.paged_attention_v2(o, (e := make()), e, e, *rest)
    return e
# findings
# 5:5 PAM401
