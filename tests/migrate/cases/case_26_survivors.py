from vllm import _custom_ops as ops
from vllm.v1.attention.ops.paged_attn import PagedAttention

def amd(kv, n, d, *rest):
    kc, vc = PagedAttention.split_kv_cache(kv, n, d)
    ops.paged_attention_rocm(*rest)
    return kc, vc
