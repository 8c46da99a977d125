try:
    from vllm._custom_ops import paged_attention_v1
except ImportError:
    paged_attention_v1 = None

try:
    from vllm._custom_ops import paged_attention_v1
except ImportError:
    paged_attention_v1 = None


def attend(batch):
    paged_attention_v1(*batch)
# output
try:
    from paged_attention_shim import paged_attention
except ImportError:
    paged_attention = None

try:
    from paged_attention_shim import paged_attention
except ImportError:
    paged_attention = None


def attend(batch):
    paged_attention(*batch)
# findings
# 2:34 PAM101 safe
# 3:1 PAM108
# 7:34 PAM101 safe
# 8:1 PAM108
# 13:5 PAM102 safe
