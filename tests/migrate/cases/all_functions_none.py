try:
    from vllm._custom_ops import paged_attention_v1, paged_attention_v2
except ImportError:
    paged_attention_v1 = paged_attention_v2 = None


def f(o, e, x, t, rest):
    assert paged_attention_v1 is not None and paged_attention_v2 is not None
    paged_attention_v2(o, e, x, t, *rest)
# output
try:
    from paged_attention_shim import paged_attention
except ImportError:
    paged_attention = None


def f(o, e, x, t, rest):
    assert paged_attention is not None and paged_attention is not None
    paged_attention(o, *rest)
# findings
# 2:34 PAM101 safe
# 2:54 PAM101 safe
# 3:1 PAM108
# 8:12 PAM103 safe
# 8:47 PAM103 safe
# 9:5 PAM102 safe
