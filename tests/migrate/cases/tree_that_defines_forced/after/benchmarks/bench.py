from paged_attention_shim import paged_attention


def bench(o, e, x, t, rest):
    paged_attention(o, *rest)
