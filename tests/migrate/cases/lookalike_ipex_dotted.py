import intel_extension_for_pytorch.llm.modules as modules

attend = modules.PagedAttention.single_query_cached_kv_attention
