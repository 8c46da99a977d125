def run(paged_attention_v1):
    return paged_attention_v1(1)
