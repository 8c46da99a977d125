from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from vllm import _custom_ops as ops

def f(o, e, x, t, q, kc, vc, n, s, bt, sl, b, m, ks, vs):
    from vllm import _custom_ops as ops
    ops.paged_attention_v1(o, q, kc, vc, n, s, bt, sl, b, m, None, "auto", ks, vs)
# output
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from vllm import _custom_ops as ops

def f(o, e, x, t, q, kc, vc, n, s, bt, sl, b, m, ks, vs):
    from paged_attention_shim import paged_attention
    paged_attention(o, q, kc, vc, n, s, bt, sl, b, m, None, "auto", ks, vs)
# findings
# 8:5 PAM102 safe
