import torch

if hasattr(torch, "xpu") and torch.xpu.is_available():
    from vllm._ipex_ops import ipex_ops as ops  # expect: PAM202
else:
    from vllm import _custom_ops as ops


def attend(batch):
    ops.paged_attention_v1(*batch)  # expect: PAM109
