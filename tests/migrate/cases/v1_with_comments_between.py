from vllm import _custom_ops as ops


def attend(o, q, kc, vc, n, s, bt, sl, m, ks, vs):
    # Short contexts only.
    ops.paged_attention_v1(  # in place
        o,  # [seqs, heads, size]
        q,
        # the paged cache
        kc, vc, n,
        s,
        bt, sl, 16, m, None,
        # scales
        "fp8", ks, vs
        # the rest has defaults
    )
# output
from paged_attention_shim import paged_attention


def attend(o, q, kc, vc, n, s, bt, sl, m, ks, vs):
    # Short contexts only.
    paged_attention(  # in place
        o,  # [seqs, heads, size]
        q,
        # the paged cache
        kc, vc, n,
        s,
        bt, sl, 16, m, None,
        # scales
        "fp8", ks, vs
        # the rest has defaults
    )
# findings
# 6:5 PAM102 safe
