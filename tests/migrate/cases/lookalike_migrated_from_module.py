import paged_attention_shim as pa


def decode(batch):
    pa.paged_attention(*batch)
