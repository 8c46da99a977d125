def f(o, e, x, t, q, kc, vc, n, s, bt, sl, b, m, ks, vs):
    try: from vllm import _custom_ops as ops
    except ImportError: return None
    ops.paged_attention_v1(o, q, kc, vc, n, s, bt, sl, b, m, None, "auto", ks, vs)
# output
def f(o, e, x, t, q, kc, vc, n, s, bt, sl, b, m, ks, vs):
    try: from paged_attention_shim import paged_attention
    except ImportError: return None
    paged_attention(o, q, kc, vc, n, s, bt, sl, b, m, None, "auto", ks, vs)
# findings
# 4:5 PAM102 safe
