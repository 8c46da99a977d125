import torch
from vllm import _custom_ops as ops


def route(version, o, q, kc, vc, n, s, bt, sl, b, m, ks, vs):
    sums = torch.empty(q.shape[0], q.shape[1], 4)
    peaks = torch.empty_like(sums)
    tmp = torch.empty(q.shape[0], q.shape[1], 4, q.shape[2])
    if version == "v1":
        ops.paged_attention_v1(o, q, kc, vc, n, s, bt, sl, b, m, None, "auto", ks, vs)
    elif version == "v2":
        ops.paged_attention_v2(o, sums, peaks, tmp, q, kc, vc, n, s, bt, sl, b, m, None, "auto", ks, vs)
    elif version == "rocm":
        ops.paged_attention_rocm(o, sums, peaks, tmp, q, kc, vc, n, s, bt, sl, None, b, m, None, "auto", ks, vs)
    else:
        raise ValueError(version)
# output
import torch
from paged_attention_shim import paged_attention
from vllm import _custom_ops as ops


def route(version, o, q, kc, vc, n, s, bt, sl, b, m, ks, vs):
    sums = torch.empty(q.shape[0], q.shape[1], 4)
    peaks = torch.empty_like(sums)
    tmp = torch.empty(q.shape[0], q.shape[1], 4, q.shape[2])
    if version == "v1":
        paged_attention(o, q, kc, vc, n, s, bt, sl, b, m, None, "auto", ks, vs)
    elif version == "v2":
        paged_attention(o, q, kc, vc, n, s, bt, sl, b, m, None, "auto", ks, vs)
    elif version == "rocm":
        ops.paged_attention_rocm(o, sums, peaks, tmp, q, kc, vc, n, s, bt, sl, None, b, m, None, "auto", ks, vs)
    else:
        raise ValueError(version)
# findings
# 10:9 PAM102 safe
# 12:9 PAM102 safe
