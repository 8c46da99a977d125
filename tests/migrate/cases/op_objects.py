import inspect
import torch
from torch.library import opcheck

opcheck(torch.ops._C.paged_attention_v1, (1, 2))
torch.ops._C.paged_attention_v1.default
inspect.signature(torch.ops._C.paged_attention_v2)
print(f is torch.ops._C.paged_attention_v1)
# findings
# 5:9 PAM111
# 6:1 PAM111
# 7:19 PAM111
# 8:12 PAM111
