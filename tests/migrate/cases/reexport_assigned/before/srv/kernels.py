from vllm import _custom_ops

attend = _custom_ops.paged_attention_v1
attend_long = _custom_ops.paged_attention_v2
