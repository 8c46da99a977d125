import torch
from vllm import _custom_ops as ops


def decode(o, q, kc, vc, n, s, bt, sl, b, m, ks, vs):
    ops.paged_attention_v2(
        o,
        torch.empty(q.shape[0], q.shape[1], 8),
        torch.empty(q.shape[0], q.shape[1], 8),
        torch.empty(q.shape[0], q.shape[1], 8, q.shape[2], dtype=q.dtype),
        q, kc, vc, n, s, bt, sl, b, m, None, "auto", ks, vs,
    )
# output
from paged_attention_shim import paged_attention


def decode(o, q, kc, vc, n, s, bt, sl, b, m, ks, vs):
    paged_attention(
        o,
        q, kc, vc, n, s, bt, sl, b, m, None, "auto", ks, vs,
    )
# findings
# 6:5 PAM102 safe
