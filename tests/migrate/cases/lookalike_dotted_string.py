PATHS = ["aiter.paged_attention_v1", "kernels.paged_attention_v2"]
