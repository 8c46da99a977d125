from paged_attention_shim import paged_attention
from vllm import _custom_ops

attend = paged_attention
attend_long = _custom_ops.paged_attention_v2
