import torch
from vllm import _custom_ops as ops


def decode(o, q, kc, vc, n, s, bt, sl, b, m, ks, vs):
    # One row a partition; see the paper.
    parts = (m + 511) // 512
    sums = torch.empty(q.shape[0], q.shape[1], parts)  # exp sums
    peaks = torch.empty_like(sums)
    tmp = torch.empty(q.shape[0], q.shape[1], parts, q.shape[2])

    # The output is written in place.
    ops.paged_attention_v2(o, sums, peaks, tmp, q, kc, vc, n, s, bt, sl, b, m, None, "auto", ks, vs)
# output
from paged_attention_shim import paged_attention


def decode(o, q, kc, vc, n, s, bt, sl, b, m, ks, vs):
    # The output is written in place.
    paged_attention(o, q, kc, vc, n, s, bt, sl, b, m, None, "auto", ks, vs)
# findings
# 13:5 PAM102 safe
