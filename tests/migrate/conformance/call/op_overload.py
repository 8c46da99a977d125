import torch

FALLBACKS = {torch.ops._C.paged_attention_v1.default}  # expect: PAM111
