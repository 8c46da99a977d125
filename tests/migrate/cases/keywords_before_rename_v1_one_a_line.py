import vllm._custom_ops as ops


def run(out, query, cache, tables, lens):
    ops.paged_attention_v1(
        out=out,
        query=query,
        key_cache=cache[0],
        value_cache=cache[1],
        num_kv_heads=8,
        scale=0.1,
        block_tables=tables,
        context_lens=lens,  # so it was called
        block_size=16,
        max_context_len=int(lens.max()),
        alibi_slopes=None,
        kv_cache_dtype="auto",
        kv_scale=1.0,
    )
# output
from paged_attention_shim import paged_attention


def run(out, query, cache, tables, lens):
    paged_attention(
        out=out,
        query=query,
        key_cache=cache[0],
        value_cache=cache[1],
        num_kv_heads=8,
        scale=0.1,
        block_tables=tables,
        seq_lens=lens,  # so it was called
        block_size=16,
        max_seq_len=int(lens.max()),
        alibi_slopes=None,
        kv_cache_dtype="auto",
        k_scale=1.0,
        v_scale=1.0,
    )
# findings
# 5:5 PAM102 safe
