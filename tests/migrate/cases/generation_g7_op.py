import torch


def f(o, q, kc, vc, n, s, bt, sl, b, m, al, dt, kvs, r, l, v, z, h):
    torch.ops._C.paged_attention_v1(o, q, kc, vc, n, s, bt, sl, b, m, al, dt, kvs, r, l, v, z, h)
# output
from paged_attention_shim import paged_attention


def f(o, q, kc, vc, n, s, bt, sl, b, m, al, dt, kvs, r, l, v, z, h):
    paged_attention(o, q, kc, vc, n, s, bt, sl, b, m, al, dt, kvs, kvs, r, l, v, z, h)
# findings
# 5:5 PAM102 safe
