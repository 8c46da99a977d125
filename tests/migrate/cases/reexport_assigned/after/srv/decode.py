from paged_attention_shim import paged_attention
from srv import kernels


def run(o, e, x, t, rest):
    kernels.attend(o, *rest)
    paged_attention(o, *rest)
