from vllm import _custom_ops as ops

def k(o, q, kc, vc, n, s, bt, sl, b, m, al, dt, ks, vs, rank, cfg):
    ops.paged_attention_v1(o, q, kc, vc, n, s, bt, sl, b, m, al, dt, ks, vs,
                           rank, cfg.local, cfg.stride, cfg.block, cfg.slide)
# output
from paged_attention_shim import paged_attention

def k(o, q, kc, vc, n, s, bt, sl, b, m, al, dt, ks, vs, rank, cfg):
    paged_attention(o, q, kc, vc, n, s, bt, sl, b, m, al, dt, ks, vs,
                           rank, cfg.local, cfg.stride, cfg.block, cfg.slide)
# findings
# 4:5 PAM102 safe
