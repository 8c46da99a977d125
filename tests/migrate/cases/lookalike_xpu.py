import torch


def decode(batch):
    torch.xpu.paged_attention_v1(*batch)
    torch.ops.torch_ipex.paged_attention_v2(*batch)
