def decode(paged_attention_v1, /, *, paged_attention_v2):
    return (lambda paged_attention_v1: paged_attention_v1(paged_attention_v2))(paged_attention_v1)
