try:
    from paged_attention_shim import paged_attention as paged_attention_v1
except ImportError:
    paged_attention_v1 = None
