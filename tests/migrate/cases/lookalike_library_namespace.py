import torch

lib = torch.library.Library("paged_attention", "FRAGMENT")
lib.define("paged_attention_v1(Tensor out) -> ()")
lib.define("paged_attention_v2")

@torch.library.impl(lib, "paged_attention_v2", "CUDA")
def run(out):
    return out
