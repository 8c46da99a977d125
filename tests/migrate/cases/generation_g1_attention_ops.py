from vllm import attention_ops


def attend(o, sums, peaks, partial, q, kc, vc, mapping, heads, s, bt, lens, longest, scale, ks, vs, rank):
    attention_ops.single_query_cached_kv_attention(o, q, kc, vc, s, bt, lens, 16, longest, None)
# output
from paged_attention_shim import paged_attention


def attend(o, sums, peaks, partial, q, kc, vc, mapping, heads, s, bt, lens, longest, scale, ks, vs, rank):
    paged_attention(o, q, kc, vc, kc.shape[1], s, bt, lens, 16, longest, None)
# findings
# 1:18 PAM203 safe
# 5:5 PAM102 safe
