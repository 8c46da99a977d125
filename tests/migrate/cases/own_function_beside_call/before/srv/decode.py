from srv import kernels


def run(o, e, x, t, rest):
    kernels.paged_attention_v2(o, *rest)
