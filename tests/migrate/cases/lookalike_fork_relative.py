from .._custom_ops import paged_attention_v1
from ..attention_ops import single_query_cached_kv_attention


def decode(batch):
    paged_attention_v1(*batch)
    single_query_cached_kv_attention(*batch)
