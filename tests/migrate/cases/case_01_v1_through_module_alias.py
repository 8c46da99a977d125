import torch
from vllm import _custom_ops as ops

def step(q, kc, vc, tables, lens, longest, ks, vs, slots, k, v):
    ops.reshape_and_cache(k, v, kc, vc, slots, "auto", ks, vs)
    res = torch.empty_like(q)
    ops.paged_attention_v1(
        res, q, kc, vc,
        kc.shape[1],  # kv heads
        q.shape[-1] ** -0.5,
        tables, lens, 16, longest,
        None,  # no alibi
        "auto", ks, vs,
    )
    return res
# output
import torch
from paged_attention_shim import paged_attention
from vllm import _custom_ops as ops

def step(q, kc, vc, tables, lens, longest, ks, vs, slots, k, v):
    ops.reshape_and_cache(k, v, kc, vc, slots, "auto", ks, vs)
    res = torch.empty_like(q)
    paged_attention(
        res, q, kc, vc,
        kc.shape[1],  # kv heads
        q.shape[-1] ** -0.5,
        tables, lens, 16, longest,
        None,  # no alibi
        "auto", ks, vs,
    )
    return res
# findings
# 7:5 PAM102 safe
