from paged_attention_shim import paged_attention_v1


def decode(batch):
    paged_attention_v1(*batch)
