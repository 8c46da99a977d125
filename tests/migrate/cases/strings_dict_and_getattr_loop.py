import torch

KERNELS = {"v1": "paged_attention_v1", "v2": "paged_attention_v2"}


def pick(version):
    return getattr(torch.ops._C, KERNELS[version])
# findings
# 3:18 PAM104
# 3:46 PAM104
