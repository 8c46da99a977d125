import torch

op = torch.ops._C.paged_attention_v1


def f(batch):
    op(*batch)
    op.default(*batch)
# findings
# 3:6 PAM111
