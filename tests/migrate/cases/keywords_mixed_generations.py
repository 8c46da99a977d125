from vllm import _custom_ops as ops


def run(o, q, kc, vc, bt, cl, ks, vs):
    ops.paged_attention_v1(o, q, kc, vc, 8, 0.1, bt, context_lens=cl, block_size=16, max_seq_len=8,
                           alibi_slopes=None, kv_cache_dtype="auto", k_scale=ks, v_scale=vs)
# findings
# 5:5 PAM404
