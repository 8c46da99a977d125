import torch
from vllm import _custom_ops as ops


def attend(group, o, e, x, t, rest):
    ops.paged_attention_v2(o, e, x, t, *rest)
    torch.distributed.all_gather_into_tensor(group.sums, e[:, :, 0])
# findings
# 6:5 PAM401
