paged_attention_v1 = 3.0
paged_attention_v2: float = 4.0
paged_attention_v1 += paged_attention_v2
print(paged_attention_v1)
