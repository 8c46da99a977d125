from paged_attention_shim import paged_attention


def test_run(batch):
    paged_attention(*batch)
