from vllm import _custom_ops as ops


def f(o, e, x, t, rest, bench):
    kernel = ops.paged_attention_v2
    kernel(o, e, x, t, *rest)
    bench(kernel)
# findings
# 5:14 PAM103
