from vllm._C import ops


def attend(o, sums, peaks, partial, q, kc, vc, mapping, heads, s, bt, lens, longest, scale, ks, vs, rank):
    ops.paged_attention_v1(o, q, kc, vc, heads, s, bt, lens, 16, longest, None, "auto", scale, 0, 0, 0, 64, 0)
    ops.paged_attention_v2(o, sums, peaks, partial, q, kc, vc, heads, s, bt, lens, 16, longest, None, "auto", scale, 0, 0, 0, 64, 0)
# output
from paged_attention_shim import paged_attention


def attend(o, sums, peaks, partial, q, kc, vc, mapping, heads, s, bt, lens, longest, scale, ks, vs, rank):
    paged_attention(o, q, kc, vc, heads, s, bt, lens, 16, longest, None, "auto", scale, scale, 0, 0, 0, 64, 0)
    paged_attention(o, q, kc, vc, heads, s, bt, lens, 16, longest, None, "auto", scale, scale, 0, 0, 0, 64, 0)
# findings
# 1:21 PAM203 safe
# 5:5 PAM102 safe
# 6:5 PAM102 safe
