from vllm import _custom_ops as ops

def f(o, e, x, t, rest):
    ops.paged_attention_v2(o, e, x, t, *rest)
    ops.paged_attention_v2(o, *rest)
    ops.paged_attention_v2(**rest)
# output
from paged_attention_shim import paged_attention
from vllm import _custom_ops as ops

def f(o, e, x, t, rest):
    paged_attention(o, *rest)
    ops.paged_attention_v2(o, *rest)
    ops.paged_attention_v2(**rest)
# findings
# 4:5 PAM102 safe
# 5:5 PAM405
# 6:5 PAM405
