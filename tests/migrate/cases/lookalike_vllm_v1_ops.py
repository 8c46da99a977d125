from vllm.v1.attention.ops import paged_attn


def write(batch):
    paged_attn.PagedAttention.write_to_paged_cache(*batch)
