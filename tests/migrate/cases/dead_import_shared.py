from vllm._C import cache_ops, ops

def f(o, q, kc, vc, n, s, bt, cl, b, m):
    ops.paged_attention_v1(o, q, kc, vc, n, s, bt, cl, b, m, None, "auto")
    ops.rms_norm(o)
    cache_ops.copy_blocks(kc)
# output
from paged_attention_shim import paged_attention
from vllm._C import cache_ops, ops

def f(o, q, kc, vc, n, s, bt, cl, b, m):
    paged_attention(o, q, kc, vc, n, s, bt, cl, b, m, None, "auto")
    ops.rms_norm(o)
    cache_ops.copy_blocks(kc)
# findings
# 1:21 PAM203
# 1:32 PAM203
# 4:5 PAM102 safe
