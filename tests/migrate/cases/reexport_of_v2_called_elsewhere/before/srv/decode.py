from .kernels import paged_attention_v2


def attend(o, e, x, t, rest):
    paged_attention_v2(o, e, x, t, *rest)
