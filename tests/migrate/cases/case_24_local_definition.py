def paged_attention_v1(query, cache, table, lens):
    return cache.lookup(table, lens) @ query

def use(q, c, t, n):
    return paged_attention_v1(q, c, t, n)
