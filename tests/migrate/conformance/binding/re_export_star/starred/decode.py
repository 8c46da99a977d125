from starred.kernels import *


def attend(batch):
    ops.paged_attention_v1(*batch)  # expect: PAM102|PAM109|PAM110
