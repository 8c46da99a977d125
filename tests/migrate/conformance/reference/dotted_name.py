KERNEL = "vllm._custom_ops.paged_attention_v2"  # expect: PAM104
