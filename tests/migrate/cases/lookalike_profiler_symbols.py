SYMBOLS = (
    "paged_attention_v1_kernel",
    "_ZN4vllm25paged_attention_v2_kernelIttLi128ELi16ELi128EEEvv",
    "vllm::paged_attention_v2_reduce_kernel<half, 128>",
    "kernels.paged_attention_v1.launch",
)
