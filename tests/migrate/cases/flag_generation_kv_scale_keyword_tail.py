from vllm import _custom_ops as ops


def run(o, q, kc, vc, n, s, bt, sl, b, longest, kvs):
    ops.paged_attention_v1(
        o, q, kc, vc, n, s, bt, sl, b, longest, None, "auto",
        kv_scale=kvs,  # both
    )
# output
from paged_attention_shim import paged_attention


def run(o, q, kc, vc, n, s, bt, sl, b, longest, kvs):
    paged_attention(
        o, q, kc, vc, n, s, bt, sl, b, longest, None, "auto",
        k_scale=kvs,
        v_scale=kvs,  # both
    )
# findings
# 5:5 PAM102 safe
