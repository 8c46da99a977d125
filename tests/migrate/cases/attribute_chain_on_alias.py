import vllm as v

o = v._custom_ops
o.paged_attention_v1(*range(14))
# output
import vllm as v
from paged_attention_shim import paged_attention

o = v._custom_ops
paged_attention(*range(14))
# findings
# 4:1 PAM102 safe
