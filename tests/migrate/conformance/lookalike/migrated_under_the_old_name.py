from paged_attention_shim import paged_attention as paged_attention_v1


def attend(batch):
    paged_attention_v1(*batch)
