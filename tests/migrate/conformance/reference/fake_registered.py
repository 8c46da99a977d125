import torch


@torch.library.register_fake("_C::paged_attention_v1")  # expect: PAM107
def fake(*arguments):
    return None
