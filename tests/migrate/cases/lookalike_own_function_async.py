async def paged_attention_v1(query):
    return query


async def decode(query):
    return await paged_attention_v1(query)
