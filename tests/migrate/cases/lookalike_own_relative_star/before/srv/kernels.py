__all__ = ["paged_attention_v2"]


def paged_attention_v2(*batch):
    return batch
