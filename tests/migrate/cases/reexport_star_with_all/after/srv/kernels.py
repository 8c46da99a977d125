from paged_attention_shim import paged_attention as paged_attention_v1
from vllm._custom_ops import reshape_and_cache

__all__ = ["paged_attention_v1", "reshape_and_cache"]
