from vllm import _custom_ops as ops

__all__ = ["ops"]
