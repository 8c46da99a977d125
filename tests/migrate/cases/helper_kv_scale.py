from vllm.attention.ops.paged_attn import PagedAttention


def dec(q, kc, vc, bt, sl, m, dt, n, s, al, kvs):
    return PagedAttention.forward_decode(q, kc, vc, bt, sl, m, dt, n, s, al, kvs)
# output
from paged_attention_shim import paged_attention


def dec(q, kc, vc, bt, sl, m, dt, n, s, al, kvs):
    return paged_attention(None, q, kc, vc, n, s, bt, sl, vc.shape[3], m, al, dt, kvs, kvs)
# findings
# 5:12 PAM201 safe
