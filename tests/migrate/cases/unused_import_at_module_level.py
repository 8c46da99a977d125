from vllm._custom_ops import paged_attention_v1

VERSION = 1
# output
from paged_attention_shim import paged_attention as paged_attention_v1

VERSION = 1
# findings
# 1:30 PAM101 safe
