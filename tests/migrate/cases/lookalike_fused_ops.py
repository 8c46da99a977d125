import torch


def decode(batch):
    torch.ops._C.fused_paged_attention_v1(*batch)
    torch.ops._C.paged_attention_v2_online_primitive(*batch)
    torch.ops._C.paged_attention_v10(*batch)
