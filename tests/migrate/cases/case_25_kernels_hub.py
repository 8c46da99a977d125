from kernels import get_kernel

hub = get_kernel("kernels-community/paged-attention")

def call(o, q, kc, vc, bt, sl, s, one):
    hub.paged_attention_v1(o, q, kc, vc, num_kv_heads=4, block_tables=bt, seq_lens=sl, block_size=16,
                           max_seq_len=99, kv_cache_dtype="auto", scale=s, k_scale=one, v_scale=one, alibi_slopes=None)
