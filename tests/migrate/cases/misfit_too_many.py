from vllm import _custom_ops as ops


def f(o, a):
    ops.paged_attention_v1(o, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19)
# findings
# 5:5 PAM404
