from vllm._custom_ops import paged_attention_v1, paged_attention_v2

__all__ = ["other"]
__all__ += ["paged_attention_v1"]
__all__.append("paged_attention_v2")
# output
from paged_attention_shim import paged_attention as paged_attention_v1
from vllm._custom_ops import paged_attention_v2

__all__ = ["other"]
__all__ += ["paged_attention_v1"]
__all__.append("paged_attention_v2")
# findings
# 1:30 PAM101 safe
# 1:50 PAM101
# 5:16 PAM104
