from vllm import _custom_ops as kernels
