from vllm._C import ops


class A:
    def f(self, o, q, kc, vc, s, bt, cl, b, m):
        ops.paged_attention_v1(o, q, kc, vc, self.num_kv_heads, s, bt, cl, b, m, None)
# output
from paged_attention_shim import paged_attention


class A:
    def f(self, o, q, kc, vc, s, bt, cl, b, m):
        paged_attention(o, q, kc, vc, self.num_kv_heads, s, bt, cl, b, m, None)
# findings
# 1:21 PAM203 safe
# 6:9 PAM102 safe
