from vllm.kernels.triton.paged_attention import paged_attention_v1

def lite(o, q, kc, vc, heads, s, bt, sl, kv):
    paged_attention_v1(o, q, kc, vc, heads, s, bt, sl, 16, 512, None, "auto", None, None, num_kv_heads=kv)
