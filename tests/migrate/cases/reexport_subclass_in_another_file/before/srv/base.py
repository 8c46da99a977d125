from vllm import _custom_ops


class Base:
    def __init__(self):
        self.ops = _custom_ops
