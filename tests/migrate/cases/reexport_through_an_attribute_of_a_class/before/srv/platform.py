from vllm import _custom_ops


class Platform:
    ops = _custom_ops
