from vllm._custom_ops import paged_attention_v1  # expect: PAM101

__all__ = ["paged_attention_v1"]
