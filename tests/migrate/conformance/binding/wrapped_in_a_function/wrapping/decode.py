from wrapping.kernels import load


def attend(batch):
    load().paged_attention_v1(*batch)  # expect: PAM102|PAM109
