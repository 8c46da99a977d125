from vllm import _custom_ops as ops


class Base:
    def __init__(self):
        self.kernels = ops


class Decoder(Base):
    def run(self, o, e, x, t, rest):
        self.kernels.paged_attention_v2(o, e, x, t, *rest)
# output
from paged_attention_shim import paged_attention
from vllm import _custom_ops as ops


class Base:
    def __init__(self):
        self.kernels = ops


class Decoder(Base):
    def run(self, o, e, x, t, rest):
        paged_attention(o, *rest)
# findings
# 11:9 PAM102 safe
