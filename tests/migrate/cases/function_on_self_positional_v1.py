from vllm import _custom_ops as ops


class Step:
    attend = None

    def setup(self):
        self.attend = ops.paged_attention_v1

    def run(self, batch):
        self.attend(*batch)
# output
from paged_attention_shim import paged_attention


class Step:
    attend = None

    def setup(self):
        self.attend = paged_attention

    def run(self, batch):
        self.attend(*batch)
# findings
# 8:23 PAM103 safe
