import torch
from vllm import _custom_ops as ops


def decode(out, query, rest):
    exp_sums = torch.empty(query.shape[:2])
    max_logits = torch.empty_like(exp_sums)
    tmp_out = torch.empty_like(query)
    ops.paged_attention_rocm(out, exp_sums, max_logits, tmp_out, query, *rest)
