from vllm import attention_ops

def f(o, q, kc, vc, head_mapping, s, bt, cl, b, m):
    attention_ops.paged_attention_v1(o, q, kc, vc, head_mapping, s, bt, cl, b, m, None)
# output --unsafe
from paged_attention_shim import paged_attention

def f(o, q, kc, vc, head_mapping, s, bt, cl, b, m):
    paged_attention(o, q, kc, vc, kc.shape[1], s, bt, cl, b, m, None)
# findings
# 1:18 PAM203 unsafe
# 4:5 PAM403 unsafe
