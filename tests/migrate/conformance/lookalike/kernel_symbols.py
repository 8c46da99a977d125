HOT = ["paged_attention_v1_kernel", "void vllm::paged_attention_v2_reduce_kernel<float, 128, 128, 512>"]
