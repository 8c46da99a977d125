import functools

from vllm import _custom_ops as ops


def prepare(layer):
    return functools.partial(ops.paged_attention_v1, k_scale=layer.k, v_scale=layer.v)
# output
import functools

from paged_attention_shim import paged_attention


def prepare(layer):
    return functools.partial(paged_attention, k_scale=layer.k, v_scale=layer.v)
# findings
# 7:30 PAM102 safe
