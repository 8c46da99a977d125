from vllm import _custom_ops as ops


def go(o, e, m, t, q, kc, vc, rest):
    ops.paged_attention_v2(*[o, e, m, t], q, kc, vc, *rest)
# findings
# 5:5 PAM405
