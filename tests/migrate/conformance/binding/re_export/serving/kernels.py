"""The one place that knows where the kernels come from."""
from vllm import _custom_ops as ops

__all__ = ["ops"]
