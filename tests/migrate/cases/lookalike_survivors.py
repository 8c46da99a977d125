from vllm import _custom_ops as ops

ops.reshape_and_cache(1)
ops.paged_attention_rocm(1)
ops.convert_fp8(1)
