import types

from vllm import _custom_ops as _ops

ops: types.ModuleType = _ops


def f(b):
    ops.paged_attention_v1(*b)
# output
import types

from paged_attention_shim import paged_attention
from vllm import _custom_ops as _ops

ops: types.ModuleType = _ops


def f(b):
    paged_attention(*b)
# findings
# 9:5 PAM102 safe
