from vllm_metax_plugin import _custom_ops as ops

ops.paged_attention_v2(1)
