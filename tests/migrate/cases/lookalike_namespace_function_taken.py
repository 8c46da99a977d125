import torch

attend = torch.ops.zentorch.paged_attention_v1
default = torch.ops.paged_attention.paged_attention_v2.default
