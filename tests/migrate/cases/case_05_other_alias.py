from vllm import _custom_ops as vllm_ops

def bench(pack):
    o, q, kc, vc, n, s, bt, sl, b, m, ks, vs = pack
    vllm_ops.paged_attention_v1(o, q, kc, vc, n, s, bt, sl, b, m, None, "auto", ks, vs)
# output
from paged_attention_shim import paged_attention

def bench(pack):
    o, q, kc, vc, n, s, bt, sl, b, m, ks, vs = pack
    paged_attention(o, q, kc, vc, n, s, bt, sl, b, m, None, "auto", ks, vs)
# findings
# 5:5 PAM102 safe
