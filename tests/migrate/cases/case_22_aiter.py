import aiter  # noqa: F401
import torch

def amd(o, ws, q, kc, vc, s, bt, cu, sl, m, ks, vs):
    torch.ops.aiter.paged_attention_v1(o, ws, q, kc, vc, s, bt, cu, sl, m, None, "auto", "NHD", 0.0, ks, vs, None, 256)
