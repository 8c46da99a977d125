from vllm.attention.ops.paged_attn import PagedAttention, PagedAttentionMetadata


class Impl:
    def forward(self, query, key_cache, value_cache, meta: PagedAttentionMetadata, layer):
        return PagedAttention.forward_decode(
            query,
            key_cache,
            value_cache,
            meta.block_tables,
            meta.seq_lens_tensor,
            meta.max_decode_seq_len,
            self.kv_cache_dtype,
            self.num_kv_heads,
            self.scale,
            self.alibi_slopes,
            layer._k_scale,
            layer._v_scale,
        )
# output
from paged_attention_shim import paged_attention
from vllm.attention.ops.paged_attn import PagedAttentionMetadata


class Impl:
    def forward(self, query, key_cache, value_cache, meta: PagedAttentionMetadata, layer):
        return paged_attention(
            None,
            query,
            key_cache,
            value_cache,
            self.num_kv_heads,
            self.scale,
            meta.block_tables,
            meta.seq_lens_tensor,
            value_cache.shape[3],
            meta.max_decode_seq_len,
            self.alibi_slopes,
            self.kv_cache_dtype,
            layer._k_scale,
            layer._v_scale,
        )
# findings
# 1:59 PAM201
# 6:16 PAM201 safe
