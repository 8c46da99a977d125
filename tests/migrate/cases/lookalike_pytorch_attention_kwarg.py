from mylib import configure

configure(paged_attention_v1=True, kernels={"a": 1}, single_query_cached_kv_attention=None)
