import torch
from vllm import _custom_ops as ops

def f(rocm, o, q, kc, vc, n, s, bt, sl, b, m, ks, vs):
    e = torch.empty(q.shape[:2], dtype=torch.float32)
    x = torch.empty_like(e)
    t = torch.empty_like(q)
    if rocm:
        ops.paged_attention_rocm(o, e, x, t, q)
    else:
        ops.paged_attention_v2(o, e, x, t, q, kc, vc, n, s, bt, sl, b, m, None, "auto", ks, vs)
# output
import torch
from paged_attention_shim import paged_attention
from vllm import _custom_ops as ops

def f(rocm, o, q, kc, vc, n, s, bt, sl, b, m, ks, vs):
    e = torch.empty(q.shape[:2], dtype=torch.float32)
    x = torch.empty_like(e)
    t = torch.empty_like(q)
    if rocm:
        ops.paged_attention_rocm(o, e, x, t, q)
    else:
        paged_attention(o, q, kc, vc, n, s, bt, sl, b, m, None, "auto", ks, vs)
# findings
# 11:9 PAM102 safe
