import torch

_SYMBOL = "paged_attention_v1"  # expect: PAM104

native = getattr(getattr(torch.ops, "_C", None), _SYMBOL, None)  # may: PAM105
