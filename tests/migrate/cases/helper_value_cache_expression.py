from vllm.attention.ops.paged_attn import PagedAttention


def dec(q, caches, bt, sl, m, n, s, ks, vs):
    return PagedAttention.forward_decode(q, caches[0], caches.pop(), bt, sl, m, "auto", n, s, None, ks, vs)
# findings
# 5:12 PAM201
