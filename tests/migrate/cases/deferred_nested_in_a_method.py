from vllm import _custom_ops as ops


class Bench:
    def time(self, o, e, x, t, rest):
        def once():
            nonlocal o
            o = o.clone()
            ops.paged_attention_v2(o, e, x, t, *rest)

        return self.timer(once)
# output
from paged_attention_shim import paged_attention


class Bench:
    def time(self, o, e, x, t, rest):
        def once():
            nonlocal o
            o = o.clone()
            paged_attention(o, *rest)

        return self.timer(once)
# findings
# 9:13 PAM102 safe
