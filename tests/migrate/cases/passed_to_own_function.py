from vllm import _custom_ops as ops


def run(kernels, b):
    kernels.paged_attention_v1(*b)


run(ops, (1, 2))
# findings
# 5:5 PAM109
