import torch

lib = torch.library.Library("_C", "FRAGMENT")
lib.define("paged_attention_v1(Tensor out) -> ()")
