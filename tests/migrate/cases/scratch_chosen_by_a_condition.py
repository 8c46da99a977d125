from vllm import _custom_ops as ops


def attend(o, e, own, x, t, q, rest):
    sums = own if own is not None else e
    ops.paged_attention_v2(o, sums, x, t, q, *rest)
    return own
# findings
# 6:5 PAM401
