import importlib

from vllm import _custom_ops as ops

ops = importlib.reload(ops)


def f(b):
    ops.paged_attention_v1(*b)
# findings
# 9:5 PAM109
