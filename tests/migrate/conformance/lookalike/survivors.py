import torch
from vllm import _custom_ops as ops


def attend(batch, caches):
    ops.reshape_and_cache(*caches)
    ops.paged_attention_rocm(*batch)
    torch.ops._rocm_C.paged_attention(*batch)
    torch.ops._C.rms_norm(*batch)
