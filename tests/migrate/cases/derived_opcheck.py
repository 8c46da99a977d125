import torch
from torch.library import opcheck

op = torch.ops._C.paged_attention_v1
opcheck(op, (1,))
# findings
# 4:6 PAM111
