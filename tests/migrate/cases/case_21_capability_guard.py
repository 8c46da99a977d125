import torch

def have_native():
    if not hasattr(torch.ops._C, "paged_attention_v1"):
        return False
    return getattr(torch.ops._C, "paged_attention_v2", None) is not None
# findings
# 4:34 PAM105
# 6:34 PAM105
