import torch
from vllm import _custom_ops as ops


def run(o, e, x, t, q, kc, vc, n, s, bt, sl, b, m, ks, vs):
    ops.paged_attention_v2(o, e, x, t, q, kc, vc, n, s, bt, sl, b, m, None, "auto", ks, vs,
                           torch.cuda.current_device(), 1, 1, 1, 0)
# output
import torch
from paged_attention_shim import paged_attention


def run(o, e, x, t, q, kc, vc, n, s, bt, sl, b, m, ks, vs):
    paged_attention(o, q, kc, vc, n, s, bt, sl, b, m, None, "auto", ks, vs,
                           torch.cuda.current_device(), 1, 1, 1, 0)
# findings
# 6:5 PAM102 safe
