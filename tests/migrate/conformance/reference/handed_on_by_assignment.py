from vllm import _custom_ops

paged_attention_v1 = _custom_ops.paged_attention_v1  # expect: PAM103
