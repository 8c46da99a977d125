import torch

for fn in (torch.ops._C.paged_attention_v1, torch.ops._C.paged_attention_v2):
    fn(1)
# findings
# 3:12 PAM103
# 3:45 PAM103
# 4:5 PAM109
