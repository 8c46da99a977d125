from vllm_metal.metal import get_ops

get_ops().paged_attention_v1(1)
