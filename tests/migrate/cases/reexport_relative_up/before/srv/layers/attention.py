from ..ops import kernels


def attend(batch):
    kernels.paged_attention_v1(*batch)
