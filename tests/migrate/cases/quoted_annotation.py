import torch

def f(z: "torch.Tensor", o, e, x, t, q, kc, vc, n, s, bt, sl, b, m, ks, vs):
    torch.ops._C.paged_attention_v1(o, q, kc, vc, n, s, bt, sl, b, m, None, "auto", ks, vs, 0, 0, 0, 64, 0)
# output
import torch
from paged_attention_shim import paged_attention

def f(z: "torch.Tensor", o, e, x, t, q, kc, vc, n, s, bt, sl, b, m, ks, vs):
    paged_attention(o, q, kc, vc, n, s, bt, sl, b, m, None, "auto", ks, vs, 0, 0, 0, 64, 0)
# findings
# 4:5 PAM102 safe
