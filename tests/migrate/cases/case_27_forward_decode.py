from vllm.attention.ops.paged_attn import PagedAttention

def dec(q, kc, vc, bt, sl, m, dt, n, s, al, ks, vs):
    return PagedAttention.forward_decode(q, kc, vc, bt, sl, m, dt, n, s, al, ks, vs)
# output
from paged_attention_shim import paged_attention

def dec(q, kc, vc, bt, sl, m, dt, n, s, al, ks, vs):
    return paged_attention(None, q, kc, vc, n, s, bt, sl, vc.shape[3], m, al, dt, ks, vs)
# findings
# 4:12 PAM201 safe
