from vllm import _custom_ops as ops

def f(o, q, kc, vc, bt, sl):
    ops.paged_attention_v1(out=o, query=q, key_cache=kc, value_cache=vc, num_kv_heads=4, scale=0.125,
                           block_tables=bt, seq_lens=sl, block_size=16, max_seq_len=128,
                           alibi_slopes=None, kv_cache_dtype="auto", kv_scale=1.0)
# output
from paged_attention_shim import paged_attention

def f(o, q, kc, vc, bt, sl):
    paged_attention(out=o, query=q, key_cache=kc, value_cache=vc, num_kv_heads=4, scale=0.125,
                           block_tables=bt, seq_lens=sl, block_size=16, max_seq_len=128,
                           alibi_slopes=None, kv_cache_dtype="auto", k_scale=1.0, v_scale=1.0)
# findings
# 4:5 PAM102 safe
