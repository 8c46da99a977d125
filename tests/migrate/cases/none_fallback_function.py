try:
    from vllm._custom_ops import paged_attention_v1, paged_attention_v2
except ImportError:
    paged_attention_v1 = None
    paged_attention_v2 = None

def f(o, e, x, t, q, kc, vc, n, s, bt, sl, b, m, ks, vs):
    if paged_attention_v1 is None:
        return
    paged_attention_v1(o, q, kc, vc, n, s, bt, sl, b, m, None, "auto", ks, vs)
    paged_attention_v2(o, e, x, t, q, kc, vc, n, s, bt, sl, b, m, None, "auto", ks, vs)
# output
try:
    from paged_attention_shim import paged_attention
except ImportError:
    paged_attention = None

def f(o, e, x, t, q, kc, vc, n, s, bt, sl, b, m, ks, vs):
    if paged_attention is None:
        return
    paged_attention(o, q, kc, vc, n, s, bt, sl, b, m, None, "auto", ks, vs)
    paged_attention(o, q, kc, vc, n, s, bt, sl, b, m, None, "auto", ks, vs)
# findings
# 2:34 PAM101 safe
# 2:54 PAM101 safe
# 3:1 PAM108
# 8:8 PAM103 safe
# 10:5 PAM102 safe
# 11:5 PAM102 safe
