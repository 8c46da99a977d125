from vllm import _custom_ops as ops  # the kernels

def f(o, e, x, t, q, kc, vc, n, s, bt, sl, b, m, ks, vs):
    # before
    ops.paged_attention_v2(  # call
        o,  # result
        # scratch
        e,  # sums
        x, t,
        q, kc, vc, n, s, bt,
        sl,  # lengths
        b, m, None, "auto", ks, vs,  # last
    )  # done
# output
from paged_attention_shim import paged_attention  # the kernels

def f(o, e, x, t, q, kc, vc, n, s, bt, sl, b, m, ks, vs):
    # before
    paged_attention(  # call
        o,  # result
        # scratch
        # sums
        q, kc, vc, n, s, bt,
        sl,  # lengths
        b, m, None, "auto", ks, vs,  # last
    )  # done
# findings
# 5:5 PAM102 safe
