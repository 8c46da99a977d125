from vllm._custom_ops import paged_attention_v1, reshape_and_cache

__all__ = ["paged_attention_v1", "reshape_and_cache"]
