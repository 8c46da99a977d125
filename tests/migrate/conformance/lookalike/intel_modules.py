import intel_extension_for_pytorch as ipex


def attend(batch):
    ipex.llm.modules.PagedAttention.single_query_cached_kv_attention(*batch)
