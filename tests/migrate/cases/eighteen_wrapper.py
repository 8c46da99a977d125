from vllm import _custom_ops as ops

def f(o, q, kc, vc, n, s, bt, sl, b, m, al, dt, p1, p2, p3, p4, p5, p6):
    ops.paged_attention_v1(o, q, kc, vc, n, s, bt, sl, b, m, al, dt, p1, p2, p3, p4, p5, p6)
# findings
# 4:5 PAM404
