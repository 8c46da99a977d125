def f(ops, o, e, x, t, q, kc, vc, n, s, bt, sl, b, m, ks, vs):
    ops.paged_attention_v1(o, q, kc, vc, n, s, bt, sl, b, m, None, "auto", ks, vs)
# findings
# 2:5 PAM109
