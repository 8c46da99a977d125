from functools import cached_property


class A:
    @cached_property
    def ops(self):
        from vllm import _custom_ops
        return _custom_ops

    def f(self, b):
        self.ops.paged_attention_v1(*b)
# output
from functools import cached_property


class A:
    @cached_property
    def ops(self):
        from vllm import _custom_ops
        return _custom_ops

    def f(self, b):
        from paged_attention_shim import paged_attention
        paged_attention(*b)
# findings
# 11:9 PAM102 safe
