from vllm import _custom_ops


class Kernels:
    def __init__(self):
        self.ops = _custom_ops


kernels = Kernels()
