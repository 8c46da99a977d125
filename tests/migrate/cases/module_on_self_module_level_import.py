from vllm import _custom_ops as ops


class Decoder:
    def __init__(self):
        self.ops = ops

    def run(self, batch):
        self.ops.paged_attention_v1(*batch)
# output
from paged_attention_shim import paged_attention
from vllm import _custom_ops as ops


class Decoder:
    def __init__(self):
        self.ops = ops

    def run(self, batch):
        paged_attention(*batch)
# findings
# 9:9 PAM102 safe
