from vllm.attention.ops.paged_attn import PagedAttention


def dec(output, start, q, kc, vc, bt, sl, m, n, s, ks, vs):
    output[start:] = PagedAttention.forward_decode(q[start:], kc, vc, bt, sl, m, "auto", n, s, None, ks, vs)
# output
from paged_attention_shim import paged_attention


def dec(output, start, q, kc, vc, bt, sl, m, n, s, ks, vs):
    output[start:] = paged_attention(None, q[start:], kc, vc, n, s, bt, sl, vc.shape[3], m, None, "auto", ks, vs)
# findings
# 5:22 PAM201 safe
