from lmi_vllm.attention_ops import single_query_cached_kv_attention


def decode(batch):
    single_query_cached_kv_attention(*batch)
