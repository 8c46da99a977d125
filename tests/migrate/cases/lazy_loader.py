def _ops():
    from vllm import _custom_ops
    return _custom_ops

def f(o, e, x, t, q, kc, vc, n, s, bt, sl, b, m, ks, vs):
    _ops().paged_attention_v1(o, q, kc, vc, n, s, bt, sl, b, m, None, "auto", ks, vs)
# output
def _ops():
    from vllm import _custom_ops
    return _custom_ops

def f(o, e, x, t, q, kc, vc, n, s, bt, sl, b, m, ks, vs):
    from paged_attention_shim import paged_attention
    paged_attention(o, q, kc, vc, n, s, bt, sl, b, m, None, "auto", ks, vs)
# findings
# 6:5 PAM102 safe
