try:
    from vllm._custom_ops import paged_attention_v1
except ImportError:
    paged_attention_v1 = None
