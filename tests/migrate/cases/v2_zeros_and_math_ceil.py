import math

import torch
from vllm import _custom_ops as ops


def decode(q, kc, vc, nkv, scale, bt, sl, bs, longest, ks, vs):
    out = torch.empty_like(q)
    seqs, heads, size = q.size()
    count = math.ceil(longest / 512)
    exp_sums = torch.zeros((seqs, heads, count), dtype=torch.float32, device=q.device)
    max_logits = torch.zeros_like(exp_sums)
    tmp = torch.zeros((seqs, heads, count, size), dtype=q.dtype, device=q.device)
    ops.paged_attention_v2(
        out, exp_sums, max_logits, tmp,
        q, kc, vc, nkv, scale, bt, sl, bs, longest, None, "auto", ks, vs,
    )
    return out
# output
import torch
from paged_attention_shim import paged_attention


def decode(q, kc, vc, nkv, scale, bt, sl, bs, longest, ks, vs):
    out = torch.empty_like(q)
    paged_attention(
        out,
        q, kc, vc, nkv, scale, bt, sl, bs, longest, None, "auto", ks, vs,
    )
    return out
# findings
# 14:5 PAM102 safe
