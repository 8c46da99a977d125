from srv.kernels import attend


def run(o, e, x, t, rest):
    attend(o, e, x, t, *rest)
