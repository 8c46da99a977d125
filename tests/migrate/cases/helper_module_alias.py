from vllm.attention.ops import paged_attn as ops


def dec(q, kc, vc, bt, sl, m, n, s, ks, vs):
    return ops.PagedAttention.forward_decode(q, kc, vc, bt, sl, m, "auto", n, s, None, ks, vs)
# output
from paged_attention_shim import paged_attention


def dec(q, kc, vc, bt, sl, m, n, s, ks, vs):
    return paged_attention(None, q, kc, vc, n, s, bt, sl, vc.shape[3], m, None, "auto", ks, vs)
# findings
# 1:32 PAM204 safe
# 5:12 PAM201 safe
