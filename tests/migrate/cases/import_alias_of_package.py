import vllm as v


def f(b):
    v._custom_ops.paged_attention_v1(*b)
# output
from paged_attention_shim import paged_attention


def f(b):
    paged_attention(*b)
# findings
# 5:5 PAM102 safe
