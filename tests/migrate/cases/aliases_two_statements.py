from vllm._custom_ops import paged_attention_v1 as v1
from vllm._custom_ops import paged_attention_v2 as v2


def go(o, e, m, t, rest):
    v1(o, *rest)
    v2(o, e, m, t, *rest)
# output
from paged_attention_shim import paged_attention as v1
from paged_attention_shim import paged_attention as v2


def go(o, e, m, t, rest):
    v1(o, *rest)
    v2(o, *rest)
# findings
# 1:30 PAM101 safe
# 2:30 PAM101 safe
# 6:5 PAM102 safe
# 7:5 PAM102 safe
