import metal_marlin


def decode(batch):
    return metal_marlin.paged_attention_v1(*batch)
