from vllm import _custom_ops as ops

paged_attention = ops.paged_attention_rocm
decode = getattr(ops, "paged_attention_rocm")
