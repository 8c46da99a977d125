from vllm._C import ops


def attend(o, sums, peaks, partial, q, kc, vc, mapping, heads, s, bt, lens, longest, scale, ks, vs, rank):
    ops.paged_attention_v1(o, q, kc, vc, mapping, s, bt, lens, 16, longest, None)
    ops.paged_attention_v2(o, sums, peaks, partial, q, kc, vc, mapping, s, bt, lens, 16, longest, None)
# output --unsafe
from paged_attention_shim import paged_attention


def attend(o, sums, peaks, partial, q, kc, vc, mapping, heads, s, bt, lens, longest, scale, ks, vs, rank):
    paged_attention(o, q, kc, vc, kc.shape[1], s, bt, lens, 16, longest, None)
    paged_attention(o, q, kc, vc, kc.shape[1], s, bt, lens, 16, longest, None)
# findings
# 1:21 PAM203 unsafe
# 5:5 PAM403 unsafe
# 6:5 PAM403 unsafe
