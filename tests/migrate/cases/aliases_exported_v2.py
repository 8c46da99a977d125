from vllm._custom_ops import paged_attention_v2 as attend_long

__all__ = ["attend_long"]


def go(o, e, m, t, rest):
    attend_long(o, e, m, t, *rest)
# output
from paged_attention_shim import paged_attention
from vllm._custom_ops import paged_attention_v2 as attend_long

__all__ = ["attend_long"]


def go(o, e, m, t, rest):
    paged_attention(o, *rest)
# findings
# 1:30 PAM101
# 7:5 PAM102 safe
