import torch

ok = hasattr(torch.ops.aiter, "paged_attention_v1")
