import math

from vllm import _custom_ops as ops


class A:
    def f(self, o, q, cache, meta):
        ops.paged_attention_v1(
            o, q.squeeze(2).contiguous(), cache.key.view(torch.uint8), cache.value.view(torch.uint8), cache.key.shape[1],
            1.0 / math.sqrt(q.shape[-1]), meta.tables, meta.lens.to(torch.int32), cache.value.shape[3],
            int(meta.lens.max().item()), self.alibi if self.alibi is not None else None, "fp8_e4m3", k_scale=self.k,
            v_scale=self.v,
        )
# output
import math

from paged_attention_shim import paged_attention


class A:
    def f(self, o, q, cache, meta):
        paged_attention(
            o, q.squeeze(2).contiguous(), cache.key.view(torch.uint8), cache.value.view(torch.uint8), cache.key.shape[1],
            1.0 / math.sqrt(q.shape[-1]), meta.tables, meta.lens.to(torch.int32), cache.value.shape[3],
            int(meta.lens.max().item()), self.alibi if self.alibi is not None else None, "fp8_e4m3", k_scale=self.k,
            v_scale=self.v,
        )
# findings
# 8:9 PAM102 safe
