from vllm_volta import _volta_ops as ops

ops.paged_attention_v1(1)
