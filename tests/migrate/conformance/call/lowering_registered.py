import torch
from torch._inductor.lowering import fallbacks, register_lowering

fallbacks.add(torch.ops._C.paged_attention_v2.default)  # expect: PAM111


@register_lowering(torch.ops._C.paged_attention_v2)  # expect: PAM103|PAM111
def lower(*nodes):
    return nodes[0]
