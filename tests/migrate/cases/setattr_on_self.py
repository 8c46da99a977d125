from vllm import _custom_ops as ops


class A:
    def __init__(self):
        setattr(self, "attend", ops.paged_attention_v1)

    def run(self, batch):
        self.attend(*batch)
# output
from paged_attention_shim import paged_attention


class A:
    def __init__(self):
        setattr(self, "attend", paged_attention)

    def run(self, batch):
        self.attend(*batch)
# findings
# 6:33 PAM103 safe
