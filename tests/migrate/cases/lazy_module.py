from vllm.utils import LazyLoader

ops = LazyLoader("ops", globals(), "vllm._custom_ops")


def f(b):
    ops.paged_attention_v1(*b)
# findings
# 7:5 PAM109
