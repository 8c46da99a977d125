from ..common import kernels


def attend(batch):
    kernels.paged_attention_v1(*batch)  # expect: PAM102
