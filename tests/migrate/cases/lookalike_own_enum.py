import enum


class Kernel(enum.Enum):
    paged_attention_v1 = 1
    paged_attention_v2 = 2


def pick(long):
    return Kernel.paged_attention_v2 if long else Kernel.paged_attention_v1
