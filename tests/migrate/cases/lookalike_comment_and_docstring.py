"""Compares with paged_attention_v1 and vllm._custom_ops.paged_attention_v2."""

# paged_attention_v1(out, query) was here
x = 1
