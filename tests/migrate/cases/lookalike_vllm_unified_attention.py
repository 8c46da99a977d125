from vllm.v1.attention.ops.triton_unified_attention import unified_attention
from vllm.v1.attention.ops.chunked_prefill_paged_decode import chunked_prefill_paged_decode


def decode(batch):
    unified_attention(*batch)
    chunked_prefill_paged_decode(*batch)
