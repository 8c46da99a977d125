from paged_attention_shim import paged_attention


def f(b):
    paged_attention(*b)  # done
    return b
