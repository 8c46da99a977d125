import torch


def attend(version, batch):
    match version:
        case 1:
            torch.ops._C.paged_attention_v1(*batch)  # expect: PAM102
        case _:
            raise ValueError(version)
