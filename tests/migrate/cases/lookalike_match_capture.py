def pick(value):
    match value:
        case [paged_attention_v1, *paged_attention_v2]:
            return paged_attention_v1(*paged_attention_v2)
        case {"k": 1, **single_query_cached_kv_attention}:
            return single_query_cached_kv_attention
