import torch


def attend(o, sums, peaks, partial, q, kc, vc, mapping, heads, s, bt, lens, longest, scale, ks, vs, rank):
    torch.ops._C.paged_attention_v1(o, q, kc, vc, heads, s, bt, lens, 16, longest, None, "auto", scale, 0, 0, 0, 64, 0)
    torch.ops._C.paged_attention_v2(o, sums, peaks, partial, q, kc, vc, heads, s, bt, lens, 16, longest, None, "auto", scale, 0, 0, 0, 64, 0)
    torch.ops._C.paged_attention_v1(out=o, query=q, key_cache=kc, value_cache=vc, num_kv_heads=heads, scale=s, block_tables=bt, seq_lens=lens, block_size=16, max_seq_len=longest, alibi_slopes=None, kv_cache_dtype="auto", kv_scale=scale, tp_rank=0, blocksparse_local_blocks=0, blocksparse_vert_stride=0, blocksparse_block_size=64, blocksparse_head_sliding_step=0)
    torch.ops._C.paged_attention_v2(out=o, exp_sums=sums, max_logits=peaks, tmp_out=partial, query=q, key_cache=kc, value_cache=vc, num_kv_heads=heads, scale=s, block_tables=bt, seq_lens=lens, block_size=16, max_seq_len=longest, alibi_slopes=None, kv_cache_dtype="auto", kv_scale=scale, tp_rank=0, blocksparse_local_blocks=0, blocksparse_vert_stride=0, blocksparse_block_size=64, blocksparse_head_sliding_step=0)
    torch.ops._C.paged_attention_v2(o, sums, peaks, partial, q, kc, value_cache=vc, num_kv_heads=heads, scale=s, block_tables=bt, seq_lens=lens, block_size=16, max_seq_len=longest, alibi_slopes=None, kv_cache_dtype="auto", kv_scale=scale, tp_rank=0, blocksparse_local_blocks=0, blocksparse_vert_stride=0, blocksparse_block_size=64, blocksparse_head_sliding_step=0)
    torch.ops._C.paged_attention_v1(o, q, kc, vc, heads, s, bt, lens, 16, longest, None, kv_cache_dtype="auto", kv_scale=scale, tp_rank=0, blocksparse_local_blocks=0, blocksparse_vert_stride=0, blocksparse_block_size=64, blocksparse_head_sliding_step=0)
# output
from paged_attention_shim import paged_attention


def attend(o, sums, peaks, partial, q, kc, vc, mapping, heads, s, bt, lens, longest, scale, ks, vs, rank):
    paged_attention(o, q, kc, vc, heads, s, bt, lens, 16, longest, None, "auto", scale, scale, 0, 0, 0, 64, 0)
    paged_attention(o, q, kc, vc, heads, s, bt, lens, 16, longest, None, "auto", scale, scale, 0, 0, 0, 64, 0)
    paged_attention(out=o, query=q, key_cache=kc, value_cache=vc, num_kv_heads=heads, scale=s, block_tables=bt, seq_lens=lens, block_size=16, max_seq_len=longest, alibi_slopes=None, kv_cache_dtype="auto", k_scale=scale, v_scale=scale, tp_rank=0, blocksparse_local_blocks=0, blocksparse_vert_stride=0, blocksparse_block_size=64, blocksparse_head_sliding_step=0)
    paged_attention(out=o, query=q, key_cache=kc, value_cache=vc, num_kv_heads=heads, scale=s, block_tables=bt, seq_lens=lens, block_size=16, max_seq_len=longest, alibi_slopes=None, kv_cache_dtype="auto", k_scale=scale, v_scale=scale, tp_rank=0, blocksparse_local_blocks=0, blocksparse_vert_stride=0, blocksparse_block_size=64, blocksparse_head_sliding_step=0)
    paged_attention(o, q, kc, value_cache=vc, num_kv_heads=heads, scale=s, block_tables=bt, seq_lens=lens, block_size=16, max_seq_len=longest, alibi_slopes=None, kv_cache_dtype="auto", k_scale=scale, v_scale=scale, tp_rank=0, blocksparse_local_blocks=0, blocksparse_vert_stride=0, blocksparse_block_size=64, blocksparse_head_sliding_step=0)
    paged_attention(o, q, kc, vc, heads, s, bt, lens, 16, longest, None, kv_cache_dtype="auto", k_scale=scale, v_scale=scale, tp_rank=0, blocksparse_local_blocks=0, blocksparse_vert_stride=0, blocksparse_block_size=64, blocksparse_head_sliding_step=0)
# findings
# 5:5 PAM102 safe
# 6:5 PAM102 safe
# 7:5 PAM102 safe
# 8:5 PAM102 safe
# 9:5 PAM102 safe
# 10:5 PAM102 safe
