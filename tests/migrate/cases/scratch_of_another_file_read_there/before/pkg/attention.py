from vllm import _custom_ops as ops


def attend(o, e, x, t, rest):
    ops.paged_attention_v2(o, e, x, t, *rest)
