from vllm import _custom_ops as ops


class Step:
    def __init__(self):
        self.attend = ops.paged_attention_v1

    def run(self, o, q, kc, vc, bt, cl):
        self.attend(out=o, query=q, key_cache=kc, value_cache=vc, num_kv_heads=1, scale=0.1, block_tables=bt,
                    context_lens=cl, block_size=16, max_context_len=64, alibi_slopes=None, kv_cache_dtype="auto",
                    kv_scale=1.0)
# output
from paged_attention_shim import paged_attention


class Step:
    def __init__(self):
        self.attend = paged_attention

    def run(self, o, q, kc, vc, bt, cl):
        self.attend(out=o, query=q, key_cache=kc, value_cache=vc, num_kv_heads=1, scale=0.1, block_tables=bt,
                    seq_lens=cl, block_size=16, max_seq_len=64, alibi_slopes=None, kv_cache_dtype="auto",
                    k_scale=1.0, v_scale=1.0)
# findings
# 6:23 PAM103 safe
# 9:9 PAM102 safe
