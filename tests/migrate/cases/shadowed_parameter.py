from vllm import _custom_ops as ops

def f(ops, o, e, x, t, q, kc, vc, n, s, bt, sl, b, m, ks, vs):
    ops.reshape_and_cache(q)

ops.convert_fp8(1)
