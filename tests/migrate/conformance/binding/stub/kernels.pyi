from vllm._custom_ops import paged_attention_v1 as paged_attention_v1  # expect: PAM101|PAM307
