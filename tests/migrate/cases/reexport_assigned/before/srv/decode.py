from srv import kernels


def run(o, e, x, t, rest):
    kernels.attend(o, *rest)
    kernels.attend_long(o, e, x, t, *rest)
