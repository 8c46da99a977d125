import torch
import vllm._custom_ops as ops

PART = 512

def decode(q, kc, vc, nkv, scale, bt, sl, bs, longest, ks, vs):
    out = torch.empty_like(q)
    n, h, d = q.shape
    parts = (longest + PART - 1) // PART
    buf = torch.empty(size=(n, h, parts, d), dtype=out.dtype, device=out.device)
    sums = torch.empty(size=(n, h, parts), dtype=torch.float32, device=out.device)
    peaks = torch.empty_like(sums)
    ops.paged_attention_v2(out, sums, peaks, buf, q, kc, vc, nkv, scale, bt, sl, bs, longest, None, "auto", ks, vs)
    return out
# output
import torch
from paged_attention_shim import paged_attention

PART = 512

def decode(q, kc, vc, nkv, scale, bt, sl, bs, longest, ks, vs):
    out = torch.empty_like(q)
    paged_attention(out, q, kc, vc, nkv, scale, bt, sl, bs, longest, None, "auto", ks, vs)
    return out
# output --no-simplify
import torch
from paged_attention_shim import paged_attention

PART = 512

def decode(q, kc, vc, nkv, scale, bt, sl, bs, longest, ks, vs):
    out = torch.empty_like(q)
    n, h, d = q.shape
    parts = (longest + PART - 1) // PART
    buf = torch.empty(size=(n, h, parts, d), dtype=out.dtype, device=out.device)
    sums = torch.empty(size=(n, h, parts), dtype=torch.float32, device=out.device)
    peaks = torch.empty_like(sums)
    paged_attention(out, q, kc, vc, nkv, scale, bt, sl, bs, longest, None, "auto", ks, vs)
    return out
# findings
# 13:5 PAM102 safe
