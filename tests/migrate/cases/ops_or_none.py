from vllm import _custom_ops as ops


def f(b, other):
    (ops or other).paged_attention_v1(*b)
# findings
# 5:5 PAM109
