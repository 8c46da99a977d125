from vllm._custom_ops import paged_attention_v1, paged_attention_v2


def go(batch):
    paged_attention_v1(*batch)
# output
from paged_attention_shim import paged_attention
from vllm._custom_ops import paged_attention_v2


def go(batch):
    paged_attention(*batch)
# findings
# 1:30 PAM101 safe
# 1:50 PAM101
# 5:5 PAM102 safe
