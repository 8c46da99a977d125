from vllm import _custom_ops

paged_attention_v1 = _custom_ops.paged_attention_v1
paged_attention_v2 = _custom_ops.paged_attention_v2
# output
from paged_attention_shim import paged_attention
from vllm import _custom_ops

paged_attention_v1 = paged_attention
paged_attention_v2 = _custom_ops.paged_attention_v2
# findings
# 3:22 PAM103 safe
# 4:22 PAM103
