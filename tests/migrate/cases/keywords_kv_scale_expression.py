from vllm import _custom_ops as ops


def run(o, q, kc, vc, bt, sl, scales):
    ops.paged_attention_v1(out=o, query=q, key_cache=kc, value_cache=vc, num_kv_heads=4, scale=0.125, block_tables=bt,
                           seq_lens=sl, block_size=16, max_seq_len=128, alibi_slopes=None, kv_cache_dtype="auto",
                           kv_scale=scales.read())
# findings
# 5:5 PAM409
