import torch

NATIVE = hasattr(torch.ops._C, "paged_attention_v1")  # expect: PAM105
