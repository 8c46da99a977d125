import torch

ops = torch.ops.mini_engine


def attend(batch):
    if hasattr(ops, "paged_attention_v1"):
        ops.paged_attention_v1(*batch)
