from vllm.attention.ops.paged_attn import PagedAttention


def dec(cache, q, bt, sl, m, n, s, ks, vs):
    kc, vc = PagedAttention.split_kv_cache(cache, n, 64)
    return PagedAttention.forward_decode(q, kc, vc, bt, sl, m, "auto", n, s, None, ks, vs)
# output
from paged_attention_shim import paged_attention
from vllm.attention.ops.paged_attn import PagedAttention


def dec(cache, q, bt, sl, m, n, s, ks, vs):
    kc, vc = PagedAttention.split_kv_cache(cache, n, 64)
    return paged_attention(None, q, kc, vc, n, s, bt, sl, vc.shape[3], m, None, "auto", ks, vs)
# findings
# 1:43 PAM204
# 6:12 PAM201 safe
