from vllm import _custom_ops as ops


def f(short, o, e, x, t, rest):
    kernel = ops.paged_attention_v1 if short else ops.paged_attention_v2
    if short:
        kernel(o, *rest)
    else:
        kernel(o, e, x, t, *rest)
# findings
# 5:14 PAM103
# 5:51 PAM103
# 7:9 PAM109
# 9:9 PAM109
