from paged_attention_shim import paged_attention


def attend(batch):
    paged_attention(*batch)
