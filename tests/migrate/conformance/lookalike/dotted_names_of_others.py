PATHS = ["aiter.paged_attention_v1", "mykernels.ops.paged_attention_v2"]
