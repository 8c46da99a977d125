from vllm.attention_ops import single_query_cached_kv_attention as decode


def f(o, q, kc, vc, s, bt, cl, b, m, al):
    decode(o, q, kc, vc, s, bt, cl, b, m, al)
# output
from paged_attention_shim import paged_attention as decode


def f(o, q, kc, vc, s, bt, cl, b, m, al):
    decode(o, q, kc, vc, kc.shape[1], s, bt, cl, b, m, al)
# findings
# 1:32 PAM101 safe
# 5:5 PAM102 safe
