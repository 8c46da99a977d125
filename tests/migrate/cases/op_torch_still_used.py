import torch
import vllm._C  # noqa: F401


def run(q, kc, vc, bt, sl, one):
    o = torch.empty_like(q)
    torch.ops._C.paged_attention_v1(o, q, kc, vc, 8, 0.09, bt, sl, 16, 2048, None, "auto", one, one, 0, 0, 0, 64, 0)
    torch.ops._C.rms_norm(o, o, one, 1e-6)
    return o
# output
import torch
import vllm._C  # noqa: F401
from paged_attention_shim import paged_attention


def run(q, kc, vc, bt, sl, one):
    o = torch.empty_like(q)
    paged_attention(o, q, kc, vc, 8, 0.09, bt, sl, 16, 2048, None, "auto", one, one, 0, 0, 0, 64, 0)
    torch.ops._C.rms_norm(o, o, one, 1e-6)
    return o
# findings
# 7:5 PAM102 safe
