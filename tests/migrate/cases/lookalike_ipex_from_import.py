from intel_extension_for_pytorch.llm.modules import PagedAttention


def decode(batch):
    PagedAttention.single_query_cached_kv_attention(*batch)
    PagedAttention.forward_decode(*batch)
