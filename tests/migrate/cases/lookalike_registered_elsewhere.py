import torch
from torch.library import custom_op, register_fake


@custom_op("mine::paged_attention_v1", mutates_args=("out",))
def attend(out: torch.Tensor) -> None:
    out.zero_()


@register_fake("mine::paged_attention_v2")
def _(out):
    return None
