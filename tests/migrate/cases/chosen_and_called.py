from vllm import _custom_ops as ops

def f(c, g, o, e, x, t, q, kc, vc, n, s, bt, sl, b, m, ks, vs):
    (ops.paged_attention_v1 if c else g)(o, q, kc, vc, n, s, bt, sl, b, m, None, "auto", ks, vs)
    (fn := ops.paged_attention_v1)(o, q)
# findings
# 4:6 PAM111
# 5:12 PAM111
