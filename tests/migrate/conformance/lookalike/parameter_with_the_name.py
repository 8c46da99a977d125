def attend(paged_attention_v1, batch):
    return paged_attention_v1(*batch)
