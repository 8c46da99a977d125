from aiter import paged_attn

paged_attn.paged_attention_v1(1)
