from vllm._custom_ops import paged_attention_v2 as decode_long  # expect: PAM101
