from vllm import _custom_ops as ops

TABLE = {"v1": ops.paged_attention_v1, "v2": ops.paged_attention_v2}
# output
from paged_attention_shim import paged_attention
from vllm import _custom_ops as ops

TABLE = {"v1": paged_attention, "v2": ops.paged_attention_v2}
# findings
# 3:16 PAM103 safe
# 3:46 PAM103
