from vllm import _custom_ops as ops

def g(o, e, m, t, q, kc, vc, bt, cl, s):
    ops.paged_attention_v2(out=o, exp_sum=e, max_logits=m, tmp_out=t, query=q, key_cache=kc, value_cache=vc,
                           num_kv_heads=8, scale=s, block_tables=bt, context_lens=cl, block_size=32,
                           max_context_len=4096, alibi_slopes=None, kv_cache_dtype="auto", kv_scale=1.0)
# output
from paged_attention_shim import paged_attention

def g(o, e, m, t, q, kc, vc, bt, cl, s):
    paged_attention(out=o, query=q, key_cache=kc, value_cache=vc,
                           num_kv_heads=8, scale=s, block_tables=bt, seq_lens=cl, block_size=32,
                           max_seq_len=4096, alibi_slopes=None, kv_cache_dtype="auto", k_scale=1.0, v_scale=1.0)
# findings
# 4:5 PAM102 safe
