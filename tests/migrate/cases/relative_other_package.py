from . import _custom_ops as ops

def f(*a):
    ops.paged_attention_v1(*a)
