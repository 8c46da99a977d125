from vllm.kernels.triton.paged_attention import paged_attention_v1


def attend(batch, heads):
    paged_attention_v1(*batch, num_kv_heads=heads)
