from vllm import _custom_ops as ops


def f(o, e, x, t, q, kc, vc, n, s, bt, sl, b, m, ks, vs):
    ops.paged_attention_v2(tmp_out=t, out=o, max_logits=x, query=q, exp_sum=e, key_cache=kc, value_cache=vc, v_scale=vs, k_scale=ks,
                           num_kv_heads=n, scale=s, block_tables=bt, seq_lens=sl, block_size=b, max_seq_len=m, kv_cache_dtype="auto", alibi_slopes=None)
# output
from paged_attention_shim import paged_attention


def f(o, e, x, t, q, kc, vc, n, s, bt, sl, b, m, ks, vs):
    paged_attention(out=o, query=q, key_cache=kc, value_cache=vc, v_scale=vs, k_scale=ks,
                           num_kv_heads=n, scale=s, block_tables=bt, seq_lens=sl, block_size=b, max_seq_len=m, kv_cache_dtype="auto", alibi_slopes=None)
# findings
# 5:5 PAM102 safe
