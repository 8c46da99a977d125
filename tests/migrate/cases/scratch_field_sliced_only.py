from vllm import _custom_ops as ops


class Backend:
    def attend(self, o, q, rest):
        n = q.shape[0]
        ops.paged_attention_v2(o, self.sums[:n], self.peaks[:n], self.tmp[:n], q, *rest)
# output
from paged_attention_shim import paged_attention


class Backend:
    def attend(self, o, q, rest):
        n = q.shape[0]
        paged_attention(o, q, *rest)
# findings
# 7:9 PAM102 safe
