from vllm import _custom_ops as ops

def f(o, e, x, t, q, kc, vc, n, s, bt, sl, b, m, ks, vs):
    ops.paged_attention_v1(o, q, kc, vc, n, s, bt, sl, b, m, None, "auto", ks, vs)

ops = make_other()
# findings
# 4:5 PAM109
