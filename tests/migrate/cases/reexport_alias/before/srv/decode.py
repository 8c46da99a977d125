from srv.kernels import ops


def attend(o, e, x, t, rest):
    ops.paged_attention_v2(o, e, x, t, *rest)
