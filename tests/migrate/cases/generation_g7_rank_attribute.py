from vllm import _custom_ops as ops


class A:
    def f(self, o, q, kc, vc, n, s, bt, sl, b, m):
        ops.paged_attention_v1(o, q, kc, vc, n, s, bt, sl, b, m, None, "auto", self.kv_scale, self.tp_rank)
# output
from paged_attention_shim import paged_attention


class A:
    def f(self, o, q, kc, vc, n, s, bt, sl, b, m):
        paged_attention(o, q, kc, vc, n, s, bt, sl, b, m, None, "auto", self.kv_scale, self.kv_scale, self.tp_rank)
# findings
# 6:9 PAM102 safe
