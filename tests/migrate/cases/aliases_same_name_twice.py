from vllm._custom_ops import paged_attention_v1 as attend
from vllm._custom_ops import paged_attention_v1 as warm_up


def go(batch):
    warm_up(*batch)
    attend(*batch)
# output
from paged_attention_shim import paged_attention as attend
from paged_attention_shim import paged_attention as warm_up


def go(batch):
    warm_up(*batch)
    attend(*batch)
# findings
# 1:30 PAM101 safe
# 2:30 PAM101 safe
# 6:5 PAM102 safe
# 7:5 PAM102 safe
