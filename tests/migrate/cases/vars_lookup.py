from vllm import _custom_ops as ops


def f(b):
    vars(ops)["paged_attention_v1"](*b)
    ops.__dict__["paged_attention_v1"](*b)
# findings
# 5:15 PAM104
# 6:18 PAM104
