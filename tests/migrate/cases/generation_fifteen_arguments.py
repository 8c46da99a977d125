from vllm import _custom_ops as ops


def f(o, q, kc, vc, n, s, bt, sl, b, m, a1, a2, a3):
    ops.paged_attention_v1(o, q, kc, vc, n, s, bt, sl, b, m, None, "auto", a1, a2, a3)
# findings
# 5:5 PAM404
