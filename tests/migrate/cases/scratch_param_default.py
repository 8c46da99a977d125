from vllm import _custom_ops as ops


def f(o, q, rest, e=None, x=None, t=None):
    if e is None:
        e, x, t = q.new(), q.new(), q.new()
    ops.paged_attention_v2(o, e, x, t, q, *rest)
# output
from paged_attention_shim import paged_attention


def f(o, q, rest, e=None, x=None, t=None):
    if e is None:
        e, x, t = q.new(), q.new(), q.new()
    paged_attention(o, q, *rest)
# findings
# 7:5 PAM102 safe
