from vllm import _custom_ops as ops


def backends():
    yield ops


for k in backends():
    k.paged_attention_v1(1)
# findings
# 9:5 PAM109
