import vllm._custom_ops as kernels
