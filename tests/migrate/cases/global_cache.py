_ops = None

def load():
    global _ops
    if _ops is None:
        from vllm import _custom_ops as _ops
    return _ops

def f(o, e, x, t, q, kc, vc, n, s, bt, sl, b, m, ks, vs):
    load().paged_attention_v2(o, e, x, t, q, kc, vc, n, s, bt, sl, b, m, None, "auto", ks, vs)
# output
_ops = None

def load():
    global _ops
    if _ops is None:
        from vllm import _custom_ops as _ops
    return _ops

def f(o, e, x, t, q, kc, vc, n, s, bt, sl, b, m, ks, vs):
    from paged_attention_shim import paged_attention
    paged_attention(o, q, kc, vc, n, s, bt, sl, b, m, None, "auto", ks, vs)
# findings
# 10:5 PAM102 safe
