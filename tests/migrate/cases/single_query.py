from vllm import attention_ops

def f(o, q, kc, vc, s, bt, cl, b, m):
    attention_ops.single_query_cached_kv_attention(o, q, kc, vc, s, bt, cl, b, m)
# output
from paged_attention_shim import paged_attention

def f(o, q, kc, vc, s, bt, cl, b, m):
    paged_attention(o, q, kc, vc, kc.shape[1], s, bt, cl, b, m)
# findings
# 1:18 PAM203 safe
# 4:5 PAM102 safe
