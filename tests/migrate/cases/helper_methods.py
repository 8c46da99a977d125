from vllm.attention.ops.paged_attn import PagedAttention

class Mine(PagedAttention):
    pass

def f(*a):
    PagedAttention.get_kv_cache_shape(*a)
    return PagedAttention.split_kv_cache(*a)
# findings
# 1:43 PAM204
# 3:12 PAM201
# 7:5 PAM201
