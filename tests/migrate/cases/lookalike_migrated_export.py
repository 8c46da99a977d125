from paged_attention_shim import paged_attention as paged_attention_v1
from paged_attention_shim import paged_attention as attend

__all__ = ["attend", "paged_attention_v1"]
