import torch


def run(o, e, m, t, q, kc, vc, bt, sl, ks, vs):
    torch.ops._C.paged_attention_v2(
        out=o, query=q, key_cache=kc, value_cache=vc, num_kv_heads=2, scale=1.0, block_tables=bt, seq_lens=sl,
        block_size=16, max_seq_len=64, alibi_slopes=None, kv_cache_dtype="auto", k_scale=ks, v_scale=vs, tp_rank=0,
        blocksparse_local_blocks=0, blocksparse_vert_stride=0, blocksparse_block_size=64, blocksparse_head_sliding_step=0,
        tmp_out=t, max_logits=m, exp_sums=e,
    )
# output
from paged_attention_shim import paged_attention


def run(o, e, m, t, q, kc, vc, bt, sl, ks, vs):
    paged_attention(
        out=o, query=q, key_cache=kc, value_cache=vc, num_kv_heads=2, scale=1.0, block_tables=bt, seq_lens=sl,
        block_size=16, max_seq_len=64, alibi_slopes=None, kv_cache_dtype="auto", k_scale=ks, v_scale=vs, tp_rank=0,
        blocksparse_local_blocks=0, blocksparse_vert_stride=0, blocksparse_block_size=64, blocksparse_head_sliding_step=0,
    )
# findings
# 5:5 PAM102 safe
