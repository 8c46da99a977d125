from vllm.attention.ops.paged_attn import PagedAttention

def f(q, kc, vc, bt, sl, m, n, s, ks, vs):
    return PagedAttention.forward_decode(
        q, kc, vc, bt, sl, m, "auto", n, s, None, k_scale=ks, v_scale=vs,
    )
# output
from paged_attention_shim import paged_attention

def f(q, kc, vc, bt, sl, m, n, s, ks, vs):
    return paged_attention(
        None, q, kc, vc, n, s, bt, sl, vc.shape[3], m, None, "auto", ks, vs,
    )
# findings
# 4:12 PAM201 safe
