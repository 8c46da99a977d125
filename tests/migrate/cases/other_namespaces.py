import torch

def f(*a):
    torch.ops.mini_vllm_ops.paged_attention_v1(*a)
    torch.ops._rocm_C.paged_attention(*a)
    torch.xpu.paged_attention_v1(*a)
    torch.ops.vllm.paged_attention_v2(*a)
