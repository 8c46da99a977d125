from vllm import _custom_ops as ops


class Layer:
    paged_attention = True

    def attend(self, batch):
        self.paged_attention = False
        ops.paged_attention_v1(*batch)
# output
from paged_attention_shim import paged_attention as shim_paged_attention


class Layer:
    paged_attention = True

    def attend(self, batch):
        self.paged_attention = False
        shim_paged_attention(*batch)
# findings
# 9:9 PAM102 safe
