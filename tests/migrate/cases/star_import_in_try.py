try:
    from vllm._custom_ops import *
except ImportError:
    pass


def f(o, e, x, t, rest):
    paged_attention_v2(o, e, x, t, *rest)
# findings
# 8:5 PAM110
