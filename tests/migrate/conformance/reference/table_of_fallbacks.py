import torch
from engine.fallbacks import decode, norm

FALLBACKS = {
    "rms_norm": norm,
    "paged_attention_v1": decode,  # expect: PAM104
}

MISSING = [name for name in FALLBACKS if not hasattr(torch.ops._C, name)]
