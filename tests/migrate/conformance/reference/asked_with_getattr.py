import torch


def native():
    return getattr(torch.ops._C, "paged_attention_v2", None) is not None  # expect: PAM105
