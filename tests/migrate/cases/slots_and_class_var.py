from typing import ClassVar

from vllm import _custom_ops as ops


class A:
    attend: ClassVar = ops.paged_attention_v1

    def run(self, batch):
        A.attend(*batch)
# output
from typing import ClassVar

from paged_attention_shim import paged_attention


class A:
    attend: ClassVar = paged_attention

    def run(self, batch):
        A.attend(*batch)
# findings
# 7:24 PAM103 safe
