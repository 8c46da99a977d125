from vllm._custom_ops import paged_attention_rocm
from vllm._custom_ops import reshape_and_cache_flash as paged_attention_v1_writer


def decode(batch):
    paged_attention_rocm(*batch)
    paged_attention_v1_writer(*batch)
