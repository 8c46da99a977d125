from vllm import _custom_ops as ops


def attend(out, sums, peaks, partial, query, keys, values, tables, lens):
    ops.paged_attention_v2(  # expect: PAM102
        out=out, exp_sum=sums, max_logits=peaks, tmp_out=partial, query=query, key_cache=keys, value_cache=values,
        num_kv_heads=8, scale=0.125, block_tables=tables, context_lens=lens, block_size=16, max_context_len=4096,
        alibi_slopes=None, kv_cache_dtype="auto", kv_scale=1.0,
    )
