from paged_attention_shim import paged_attention


def paged_attention_v2(o, *rest):
    paged_attention(o, *rest)
