def paged_attention_v1(query, cache):
    return cache @ query
