from bench import BENCHMARKER
from vllm import _custom_ops as vllm_ops


@BENCHMARKER.wrap()
def paged_attention_v1(out, query, key_cache, value_cache, num_kv_heads, scale, block_tables, seq_lens, block_size,
                       max_seq_len, alibi_slopes, kv_cache_dtype, k_scale, v_scale, tp_rank=0):
    vllm_ops.paged_attention_v1(out, query, key_cache, value_cache, num_kv_heads, scale, block_tables, seq_lens,
                                block_size, max_seq_len, alibi_slopes, kv_cache_dtype, k_scale, v_scale, tp_rank)
# output
from bench import BENCHMARKER
from paged_attention_shim import paged_attention


@BENCHMARKER.wrap()
def paged_attention_v1(out, query, key_cache, value_cache, num_kv_heads, scale, block_tables, seq_lens, block_size,
                       max_seq_len, alibi_slopes, kv_cache_dtype, k_scale, v_scale, tp_rank=0):
    paged_attention(out, query, key_cache, value_cache, num_kv_heads, scale, block_tables, seq_lens,
                                block_size, max_seq_len, alibi_slopes, kv_cache_dtype, k_scale, v_scale, tp_rank)
# findings
# 8:5 PAM102 safe
