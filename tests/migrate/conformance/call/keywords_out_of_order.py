from vllm import _custom_ops as ops


def attend(out, query, keys, values, tables, lens, k_scale, v_scale):
    ops.paged_attention_v1(  # expect: PAM102
        out, query, keys, values, num_kv_heads=8, block_tables=tables, seq_lens=lens, block_size=16, max_seq_len=4096,
        kv_cache_dtype="auto", scale=0.125, k_scale=k_scale, v_scale=v_scale, alibi_slopes=None,
    )
