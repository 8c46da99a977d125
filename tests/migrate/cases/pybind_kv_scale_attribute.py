from vllm._C import ops


class Layer:
    def run(self, o, q, kc, vc, bt, cl, longest):
        ops.paged_attention_v1(
            o, q, kc, vc, self.heads, self.scale, bt, cl, 16, longest, None, "auto", self.kv_scale,
        )
# output
from paged_attention_shim import paged_attention


class Layer:
    def run(self, o, q, kc, vc, bt, cl, longest):
        paged_attention(
            o, q, kc, vc, self.heads, self.scale, bt, cl, 16, longest, None, "auto", self.kv_scale, self.kv_scale,
        )
# findings
# 1:21 PAM203 safe
# 6:9 PAM102 safe
