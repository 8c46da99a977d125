import torch

assert hasattr(torch.ops._C, "paged_attention_v2"), "build the kernels"
# findings
# 3:30 PAM105
