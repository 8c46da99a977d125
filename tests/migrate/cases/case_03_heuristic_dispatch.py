from vllm import _custom_ops as ops

def route(o, sums, peaks, buf, q, kc, vc, nkv, scale, bt, sl, bs, longest, ks, vs, parts):
    small = longest <= 8192 and (parts == 1 or q.shape[0] * q.shape[1] > 512)
    if small:
        ops.paged_attention_v1(o, q, kc, vc, nkv, scale, bt, sl, bs, longest, None, "auto", ks, vs)
    else:
        assert 512 % bs == 0
        ops.paged_attention_v2(o, sums, peaks, buf, q, kc, vc, nkv, scale, bt, sl, bs, longest, None, "auto", ks, vs)
# output
from paged_attention_shim import paged_attention

def route(o, sums, peaks, buf, q, kc, vc, nkv, scale, bt, sl, bs, longest, ks, vs, parts):
    paged_attention(o, q, kc, vc, nkv, scale, bt, sl, bs, longest, None, "auto", ks, vs)
# output --no-simplify
from paged_attention_shim import paged_attention

def route(o, sums, peaks, buf, q, kc, vc, nkv, scale, bt, sl, bs, longest, ks, vs, parts):
    small = longest <= 8192 and (parts == 1 or q.shape[0] * q.shape[1] > 512)
    if small:
        paged_attention(o, q, kc, vc, nkv, scale, bt, sl, bs, longest, None, "auto", ks, vs)
    else:
        assert 512 % bs == 0
        paged_attention(o, q, kc, vc, nkv, scale, bt, sl, bs, longest, None, "auto", ks, vs)
# findings
# 6:9 PAM102 safe
# 9:9 PAM102 safe
