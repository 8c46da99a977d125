from vllm._custom_ops import rms_norm as paged_attention_v1

paged_attention_v1(1)
