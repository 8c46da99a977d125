from vllm import _custom_ops as ops

BACKENDS = {"vllm": ops}


def f(b):
    BACKENDS["vllm"].paged_attention_v1(*b)
# findings
# 7:5 PAM109
