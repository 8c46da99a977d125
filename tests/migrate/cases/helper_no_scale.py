from vllm.attention.ops.paged_attn import PagedAttention


def dec(q, kc, vc, bt, cl, m, dt, n, s, al):
    return PagedAttention.forward_decode(q, kc, vc, bt, cl, m, dt, n, s, al)
# output
from paged_attention_shim import paged_attention


def dec(q, kc, vc, bt, cl, m, dt, n, s, al):
    return paged_attention(None, q, kc, vc, n, s, bt, cl, vc.shape[3], m, al, dt)
# findings
# 5:12 PAM201 safe
