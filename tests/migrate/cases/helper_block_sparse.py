from vllm.attention.ops.paged_attn import PagedAttention as PA


def dec(q, kc, vc, bt, sl, m, dt, n, s, al, ks, vs, rank, sparse):
    return PA.forward_decode(q, kc, vc, bt, sl, m, dt, n, s, al, ks, vs, rank, *sparse)
# findings
# 5:12 PAM201
