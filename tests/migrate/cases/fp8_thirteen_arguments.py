from vllm import _custom_ops as ops


def f(o, q, kc, vc, n, s, bt, sl, b, m):
    ops.paged_attention_v1(o, q, kc, vc, n, s, bt, sl, b, m, None, "fp8", 1.0)
# findings
# 5:5 PAM408
