import intel_extension_for_pytorch as ipex

ipex.llm.modules.PagedAttention.single_query_cached_kv_attention(1)
