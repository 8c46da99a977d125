from paged_attention_shim import paged_attention


def paged_attention_v1(o, q, kc, vc, n, s, bt, sl, b, m, al, dt, ks, vs):
    paged_attention(o, q, kc, vc, n, s, bt, sl, b, m, al, dt, ks, vs)
