import torch
from torch._inductor import lowering

lowering.fallbacks.add(torch.ops._C.paged_attention_v1.default)


@lowering.register_lowering(torch.ops._C.paged_attention_v2)
def lower(*batch):
    return batch
# findings
# 4:24 PAM111
# 7:29 PAM111
