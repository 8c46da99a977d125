import sys

mod = sys.modules["vllm._custom_ops"]


def f(b):
    mod.paged_attention_v1(*b)
# output
import sys

mod = sys.modules["vllm._custom_ops"]


def f(b):
    from paged_attention_shim import paged_attention
    paged_attention(*b)
# findings
# 7:5 PAM102 safe
