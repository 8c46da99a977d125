from vllm import _custom_ops as ops

def f(pool, o, q, kc, vc, n, s, bt, sl, b, m, ks, vs):
    ops.paged_attention_v2(o, pool.take(1), pool.take(2), pool.take(3), q, kc, vc, n, s, bt, sl, b, m, None, "auto", ks, vs)
# findings
# 4:5 PAM410
