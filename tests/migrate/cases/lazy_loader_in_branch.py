def _ops():
    from vllm import _custom_ops
    return _custom_ops

def f(fused, o, e, x, t, q, kc, vc, n, s, bt, sl, b, m, ks, vs):
    """Attend."""
    if fused:
        for _ in range(2):
            _ops().paged_attention_v1(o, q, kc, vc, n, s, bt, sl, b, m, None, "auto", ks, vs)
        return o
    return q
# output
def _ops():
    from vllm import _custom_ops
    return _custom_ops

def f(fused, o, e, x, t, q, kc, vc, n, s, bt, sl, b, m, ks, vs):
    """Attend."""
    if fused:
        from paged_attention_shim import paged_attention
        for _ in range(2):
            paged_attention(o, q, kc, vc, n, s, bt, sl, b, m, None, "auto", ks, vs)
        return o
    return q
# findings
# 9:13 PAM102 safe
