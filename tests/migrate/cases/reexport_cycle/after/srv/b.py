from paged_attention_shim import paged_attention


def run(batch):
    paged_attention(*batch)
