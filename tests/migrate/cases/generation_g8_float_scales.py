from vllm import _custom_ops as ops


def f(o, e, x, t, q, kc, vc, n, s, bt, sl, b, m):
    ops.paged_attention_v2(o, e, x, t, q, kc, vc, n, s, bt, sl, b, m, None, kv_cache_dtype="auto", k_scale=1.0, v_scale=1.0)
# output
from paged_attention_shim import paged_attention


def f(o, e, x, t, q, kc, vc, n, s, bt, sl, b, m):
    paged_attention(o, q, kc, vc, n, s, bt, sl, b, m, None, kv_cache_dtype="auto", k_scale=1.0, v_scale=1.0)
# findings
# 5:5 PAM102 safe
