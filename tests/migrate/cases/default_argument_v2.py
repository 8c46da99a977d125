from vllm import _custom_ops as ops


def f(o, e, x, t, rest, kernel=ops.paged_attention_v2):
    kernel(o, e, x, t, *rest)
# findings
# 4:32 PAM103
# 5:5 PAM109
