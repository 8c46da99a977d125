try:
    from paged_attention_cuda import paged_attention_v1, paged_attention_v2
except ImportError:
    paged_attention_v1 = paged_attention_v2 = None


def decode(batch):
    return paged_attention_v1 and paged_attention_v1(*batch)
