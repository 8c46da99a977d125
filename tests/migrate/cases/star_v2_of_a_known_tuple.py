from vllm import _custom_ops as ops


def go(o, e, m, t, q, kc, vc, n, s, bt, sl, b, mx, ks, vs):
    args = (o, e, m, t, q, kc, vc, n, s, bt, sl, b, mx, None, "auto", ks, vs)
    ops.paged_attention_v2(*args)
# findings
# 6:5 PAM405 unsafe
