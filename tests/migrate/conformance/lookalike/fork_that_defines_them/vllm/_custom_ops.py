import torch


def paged_attention_v1(out, query, *rest):
    torch.ops._C.paged_attention_v1(out, query, *rest)
