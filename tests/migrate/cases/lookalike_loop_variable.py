for paged_attention_v1 in range(3):
    print(paged_attention_v1)
