from vllm import _custom_ops as ops


class A:
    def kernel(self, long):
        return ops.paged_attention_v2 if long else ops.paged_attention_v1

    def run(self, long, batch):
        self.kernel(long)(*batch)
# output
from paged_attention_shim import paged_attention
from vllm import _custom_ops as ops


class A:
    def kernel(self, long):
        return ops.paged_attention_v2 if long else paged_attention

    def run(self, long, batch):
        self.kernel(long)(*batch)
# findings
# 6:16 PAM103
# 6:52 PAM103 safe
