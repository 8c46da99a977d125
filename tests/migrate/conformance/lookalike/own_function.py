def paged_attention_v1(query, cache, table, lens):
    return cache.lookup(table, lens) @ query


def attend(query, cache, table, lens):
    return paged_attention_v1(query, cache, table, lens)
