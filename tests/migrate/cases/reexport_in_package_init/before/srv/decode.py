from srv import paged_attention_v1


def attend(batch):
    paged_attention_v1(*batch)
