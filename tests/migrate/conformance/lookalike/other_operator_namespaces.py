import torch


def attend(batch):
    torch.ops.mini_engine.paged_attention_v1(*batch)
    torch.ops.zentorch.paged_attention_v2(*batch)
    torch.ops.torch_ipex.single_query_cached_kv_attention(*batch)
    torch.xpu.paged_attention_v1(*batch)
