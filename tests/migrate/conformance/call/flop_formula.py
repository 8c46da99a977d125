import torch
from torch.utils.flop_counter import register_flop_formula


@register_flop_formula(torch.ops._C.paged_attention_v1)  # expect: PAM111
def flops(*shapes, **options):
    return 0
