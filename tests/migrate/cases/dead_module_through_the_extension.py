import torch
from vllm import _C


def norm(out, x, weight, epsilon):
    _C.ops.rms_norm(out, x, weight, epsilon)
    torch.ops._C.rms_norm(out, x, weight, epsilon)


def move(source, destination, mapping):
    _C.cache_ops.swap_blocks(source, destination, mapping)


def attend(o, q, kc, vc, n, s, bt, sl, b, m, scale):
    _C.ops.paged_attention_v1(o, q, kc, vc, n, s, bt, sl, b, m, None, "auto", scale)
# output
import torch
from paged_attention_shim import paged_attention
from vllm import _C


def norm(out, x, weight, epsilon):
    _C.ops.rms_norm(out, x, weight, epsilon)
    torch.ops._C.rms_norm(out, x, weight, epsilon)


def move(source, destination, mapping):
    _C.cache_ops.swap_blocks(source, destination, mapping)


def attend(o, q, kc, vc, n, s, bt, sl, b, m, scale):
    paged_attention(o, q, kc, vc, n, s, bt, sl, b, m, None, "auto", scale, scale)
# findings
# 6:5 PAM203
# 11:5 PAM203
# 15:5 PAM102 safe
