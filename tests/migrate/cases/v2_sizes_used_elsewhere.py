import torch
from vllm import _custom_ops as ops


def decode(q, kc, vc, nkv, scale, bt, sl, bs, longest, ks, vs):
    out = torch.empty_like(q)
    seqs, heads, size = q.shape
    parts = (longest + 511) // 512
    tmp = torch.empty(seqs, heads, parts, size, dtype=q.dtype)
    sums = torch.empty(seqs, heads, parts, dtype=torch.float32)
    peaks = torch.empty(seqs, heads, parts, dtype=torch.float32)
    ops.paged_attention_v2(out, sums, peaks, tmp, q, kc, vc, nkv, scale, bt, sl, bs, longest, None, "auto", ks, vs)
    return out.view(seqs, heads * size)
# output
import torch
from paged_attention_shim import paged_attention


def decode(q, kc, vc, nkv, scale, bt, sl, bs, longest, ks, vs):
    out = torch.empty_like(q)
    seqs, heads, size = q.shape
    paged_attention(out, q, kc, vc, nkv, scale, bt, sl, bs, longest, None, "auto", ks, vs)
    return out.view(seqs, heads * size)
# findings
# 12:5 PAM102 safe
