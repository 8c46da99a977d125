import torch


def attend(batch, long_batch):
    torch.ops._C.rms_norm(*batch)
    torch.ops._C.paged_attention_v1(*batch)  # expect: PAM102
    torch.ops._C.paged_attention_v2(*long_batch)  # expect: PAM405
