import torch

library = torch.library.Library("_C", "FRAGMENT")
library.define("paged_attention_v1(Tensor! out, Tensor query) -> ()")  # expect: PAM107
