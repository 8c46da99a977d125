import torch
from vllm import _custom_ops as ops

def f(o, e, x, t, q, kc, vc, n, s, bt, sl, b, m, ks, vs):
    ops.paged_attention_v2(o, e, x, t, q, kc, vc, n, s, bt, sl, b, m, None, "auto", ks, vs)
    return torch.logsumexp(e + x, -1)
# findings
# 5:5 PAM401
