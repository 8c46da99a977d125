from vllm import _custom_ops as vops

class Step:
    def __init__(self):
        self._attn = vops.paged_attention_v1

    def __call__(self, o, q, kc, vc, bt, sl, one):
        self._attn(out=o, query=q, key_cache=kc, value_cache=vc, num_kv_heads=1, scale=0.1, block_tables=bt,
                   seq_lens=sl, block_size=16, max_seq_len=64, alibi_slopes=None, kv_cache_dtype="auto",
                   k_scale=one, v_scale=one)
# output
from paged_attention_shim import paged_attention

class Step:
    def __init__(self):
        self._attn = paged_attention

    def __call__(self, o, q, kc, vc, bt, sl, one):
        self._attn(out=o, query=q, key_cache=kc, value_cache=vc, num_kv_heads=1, scale=0.1, block_tables=bt,
                   seq_lens=sl, block_size=16, max_seq_len=64, alibi_slopes=None, kv_cache_dtype="auto",
                   k_scale=one, v_scale=one)
# findings
# 5:22 PAM103 safe
