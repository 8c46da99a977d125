from vllm._custom_ops import paged_attention_v1 as decode_short  # expect: PAM101
