import torch

aiter_ops = torch.ops.aiter


def decode(batch):
    if hasattr(aiter_ops, "paged_attention_v1"):
        return aiter_ops.paged_attention_v1(*batch)
    return getattr(torch.ops.aiter, "paged_attention_v2")(*batch)
