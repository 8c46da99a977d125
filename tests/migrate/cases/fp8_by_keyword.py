from vllm import _custom_ops as ops


def f(o, q, kc, vc, n, s, bt, sl, b, m):
    ops.paged_attention_v1(out=o, query=q, key_cache=kc, value_cache=vc, num_kv_heads=n, scale=s, block_tables=bt,
                           context_lens=sl, block_size=b, max_context_len=m, alibi_slopes=None, kv_cache_dtype="fp8", kv_scale=1.0)
# findings
# 5:5 PAM408 unsafe
