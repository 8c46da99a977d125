HOT_KERNELS = {
    "paged_attention_v1_kernel": "attention",
    "vllm::paged_attention_v2_kernel": "attention",
}
