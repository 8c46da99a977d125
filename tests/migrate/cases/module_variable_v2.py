from vllm import _custom_ops as ops

_attend = ops.paged_attention_v2


def f(o, e, x, t, rest):
    _attend(o, e, x, t, *rest)
# findings
# 3:11 PAM103
