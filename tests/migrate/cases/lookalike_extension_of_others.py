import torch
import vllm._C  # noqa: F401
from aphrodite import _C
from vllm import _custom_ops as ops


def norm(out, x, weight, epsilon):
    _C.ops.rms_norm(out, x, weight, epsilon)
    torch.ops._C.rms_norm(out, x, weight, epsilon)
    torch.ops._C_cache_ops.swap_blocks(out, x, weight)
    ops.rms_norm(out, x, weight, epsilon)
