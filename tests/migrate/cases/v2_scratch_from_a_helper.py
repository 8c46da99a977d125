from vllm import _custom_ops as ops

from .buffers import make_buffers


def decode(o, q, kc, vc, n, s, bt, sl, b, m, ks, vs):
    sums, peaks, tmp = make_buffers(q, m)
    ops.paged_attention_v2(o, sums, peaks, tmp, q, kc, vc, n, s, bt, sl, b, m, None, "auto", ks, vs)
# output
from paged_attention_shim import paged_attention

from .buffers import make_buffers


def decode(o, q, kc, vc, n, s, bt, sl, b, m, ks, vs):
    sums, peaks, tmp = make_buffers(q, m)
    paged_attention(o, q, kc, vc, n, s, bt, sl, b, m, None, "auto", ks, vs)
# findings
# 8:5 PAM102 safe
