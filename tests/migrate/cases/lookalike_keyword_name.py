dict(paged_attention_v1=1)
