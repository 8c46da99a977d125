from .reference import paged_attention_v1
