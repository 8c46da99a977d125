import torch
import vllm._C  # noqa: F401

def tick(o, q, kc, vc, bt, sl, one):
    torch.ops._C.paged_attention_v1(o, q, kc, vc, 8, 0.09, bt, sl, 16, 2048, None, "auto", one, one, 0, 0, 0, 64, 0)
# output
import vllm._C  # noqa: F401
from paged_attention_shim import paged_attention

def tick(o, q, kc, vc, bt, sl, one):
    paged_attention(o, q, kc, vc, 8, 0.09, bt, sl, 16, 2048, None, "auto", one, one, 0, 0, 0, 64, 0)
# findings
# 5:5 PAM102 safe
