from paged_attention_shim import paged_attention


def attend(o, e, x, t, rest):
    paged_attention(o, *rest)
