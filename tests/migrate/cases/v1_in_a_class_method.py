import torch
from vllm import _custom_ops as kernels


class Attention(torch.nn.Module):
    """Decodes one token a sequence."""

    def forward(self, query, cache, meta):
        out = torch.empty_like(query)
        kernels.paged_attention_v1(
            out,
            query,
            cache.key,
            cache.value,
            self.num_kv_heads,
            self.scale,
            meta.block_tables,
            meta.seq_lens,
            meta.block_size,
            meta.max_seq_len,
            self.alibi_slopes,
            self.kv_cache_dtype,
            self._k_scale,
            self._v_scale,
        )
        return out.view(-1, self.hidden)
# output
import torch
from paged_attention_shim import paged_attention


class Attention(torch.nn.Module):
    """Decodes one token a sequence."""

    def forward(self, query, cache, meta):
        out = torch.empty_like(query)
        paged_attention(
            out,
            query,
            cache.key,
            cache.value,
            self.num_kv_heads,
            self.scale,
            meta.block_tables,
            meta.seq_lens,
            meta.block_size,
            meta.max_seq_len,
            self.alibi_slopes,
            self.kv_cache_dtype,
            self._k_scale,
            self._v_scale,
        )
        return out.view(-1, self.hidden)
# findings
# 10:9 PAM102 safe
