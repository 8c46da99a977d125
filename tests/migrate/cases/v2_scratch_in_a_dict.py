import torch
from vllm import _custom_ops as ops

_cache = {}


def decode(o, q, kc, vc, n, s, bt, sl, b, m, ks, vs):
    shape = (*q.shape[:2], (m + 511) // 512)
    if shape not in _cache:
        _cache[shape] = (torch.empty(shape), torch.empty(shape), torch.empty((*shape, q.shape[2])))
    sums, peaks, tmp = _cache[shape]
    ops.paged_attention_v2(o, sums, peaks, tmp, q, kc, vc, n, s, bt, sl, b, m, None, "auto", ks, vs)
# output
import torch
from paged_attention_shim import paged_attention

_cache = {}


def decode(o, q, kc, vc, n, s, bt, sl, b, m, ks, vs):
    shape = (*q.shape[:2], (m + 511) // 512)
    if shape not in _cache:
        _cache[shape] = (torch.empty(shape), torch.empty(shape), torch.empty((*shape, q.shape[2])))
    sums, peaks, tmp = _cache[shape]
    paged_attention(o, q, kc, vc, n, s, bt, sl, b, m, None, "auto", ks, vs)
# findings
# 12:5 PAM102 safe
