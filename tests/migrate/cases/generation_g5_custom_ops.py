from vllm import _custom_ops as ops


def attend(o, sums, peaks, partial, q, kc, vc, mapping, heads, s, bt, lens, longest, scale, ks, vs, rank):
    ops.paged_attention_v1(o, q, kc, vc, heads, s, bt, lens, 16, longest, None, "auto", scale)
    ops.paged_attention_v2(o, sums, peaks, partial, q, kc, vc, heads, s, bt, lens, 16, longest, None, "auto", scale)
    ops.paged_attention_v1(out=o, query=q, key_cache=kc, value_cache=vc, num_kv_heads=heads, scale=s, block_tables=bt, context_lens=lens, block_size=16, max_context_len=longest, alibi_slopes=None, kv_cache_dtype="auto", kv_scale=scale)
    ops.paged_attention_v2(out=o, exp_sum=sums, max_logits=peaks, tmp_out=partial, query=q, key_cache=kc, value_cache=vc, num_kv_heads=heads, scale=s, block_tables=bt, context_lens=lens, block_size=16, max_context_len=longest, alibi_slopes=None, kv_cache_dtype="auto", kv_scale=scale)
    ops.paged_attention_v2(o, sums, peaks, partial, q, kc, value_cache=vc, num_kv_heads=heads, scale=s, block_tables=bt, context_lens=lens, block_size=16, max_context_len=longest, alibi_slopes=None, kv_cache_dtype="auto", kv_scale=scale)
    ops.paged_attention_v1(o, q, kc, vc, heads, s, bt, lens, 16, longest, None, kv_cache_dtype="auto", kv_scale=scale)
# output
from paged_attention_shim import paged_attention


def attend(o, sums, peaks, partial, q, kc, vc, mapping, heads, s, bt, lens, longest, scale, ks, vs, rank):
    paged_attention(o, q, kc, vc, heads, s, bt, lens, 16, longest, None, "auto", scale, scale)
    paged_attention(o, q, kc, vc, heads, s, bt, lens, 16, longest, None, "auto", scale, scale)
    paged_attention(out=o, query=q, key_cache=kc, value_cache=vc, num_kv_heads=heads, scale=s, block_tables=bt, seq_lens=lens, block_size=16, max_seq_len=longest, alibi_slopes=None, kv_cache_dtype="auto", k_scale=scale, v_scale=scale)
    paged_attention(out=o, query=q, key_cache=kc, value_cache=vc, num_kv_heads=heads, scale=s, block_tables=bt, seq_lens=lens, block_size=16, max_seq_len=longest, alibi_slopes=None, kv_cache_dtype="auto", k_scale=scale, v_scale=scale)
    paged_attention(o, q, kc, value_cache=vc, num_kv_heads=heads, scale=s, block_tables=bt, seq_lens=lens, block_size=16, max_seq_len=longest, alibi_slopes=None, kv_cache_dtype="auto", k_scale=scale, v_scale=scale)
    paged_attention(o, q, kc, vc, heads, s, bt, lens, 16, longest, None, kv_cache_dtype="auto", k_scale=scale, v_scale=scale)
# findings
# 5:5 PAM102 safe
# 6:5 PAM102 safe
# 7:5 PAM102 safe
# 8:5 PAM102 safe
# 9:5 PAM102 safe
# 10:5 PAM102 safe
