from vllm import _custom_ops as ops

NAME = "paged_attention_v1"


def f(b):
    getattr(ops, NAME)(*b)
# findings
# 3:8 PAM104
