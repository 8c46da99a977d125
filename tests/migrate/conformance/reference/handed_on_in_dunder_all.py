from vllm import _custom_ops as custom_ops

paged_attention_v1 = custom_ops.paged_attention_v1  # expect: PAM103
paged_attention_v2 = custom_ops.paged_attention_v2  # expect: PAM103

__all__ = ["paged_attention_v1", "paged_attention_v2"]
