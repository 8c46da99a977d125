import torch

ns = torch.ops.zentorch
ns.paged_attention_v1(1)
