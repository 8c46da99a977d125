from vllm import _custom_ops as ops


def attend(pool, o, q, rest):
    buffers = pool.take()
    ops.paged_attention_v2(o, buffers[0], buffers[1], buffers[2], q, *rest)


def other(pool):
    buffers = pool.take()
    return buffers[0].sum()
# output
from paged_attention_shim import paged_attention


def attend(pool, o, q, rest):
    buffers = pool.take()
    paged_attention(o, q, *rest)


def other(pool):
    buffers = pool.take()
    return buffers[0].sum()
# findings
# 6:5 PAM102 safe
