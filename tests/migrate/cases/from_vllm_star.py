from vllm import *


def f(b):
    _custom_ops.paged_attention_v1(*b)
# findings
# 5:5 PAM109
