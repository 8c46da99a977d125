import mykernels
import torch

NATIVE = hasattr(mykernels, "paged_attention_v1") and hasattr(torch.ops.aiter, "paged_attention_v1")
kernel = getattr(mykernels, "paged_attention_v2", None)
