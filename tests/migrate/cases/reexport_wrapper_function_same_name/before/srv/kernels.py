from vllm import _custom_ops as ops


def paged_attention_v1(o, q, kc, vc, n, s, bt, sl, b, m, al, dt, ks, vs):
    ops.paged_attention_v1(o, q, kc, vc, n, s, bt, sl, b, m, al, dt, ks, vs)
