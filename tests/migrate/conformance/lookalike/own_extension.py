from paged_attention_cuda import paged_attention_v1, paged_attention_v2


def attend(batch):
    paged_attention_v1(*batch)
    paged_attention_v2(*batch)
