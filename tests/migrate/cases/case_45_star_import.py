from vllm._custom_ops import *  # noqa: F403

def f(*a):
    paged_attention_v1(*a)  # noqa: F405
# findings
# 4:5 PAM110
