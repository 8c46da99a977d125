from parallax_extensions.ops import paged_attention_v1


def attend(batch):
    return paged_attention_v1(*batch)
