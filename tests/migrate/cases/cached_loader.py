import functools


@functools.lru_cache
def _ops():
    import vllm._custom_ops as ops
    return ops


def f(b):
    _ops().paged_attention_v1(*b)
# output
import functools


@functools.lru_cache
def _ops():
    import vllm._custom_ops as ops
    return ops


def f(b):
    from paged_attention_shim import paged_attention
    paged_attention(*b)
# findings
# 11:5 PAM102 safe
