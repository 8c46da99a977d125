import torch
from vllm import _custom_ops as ops


class Backend:
    def attend(self, o, q, n, rest):
        sums, peaks, tmp = torch.empty(n), torch.empty(n), torch.empty(n)
        ops.paged_attention_v2(o, sums, peaks, tmp, q, *rest)
        self.last_sums = sums
# findings
# 8:9 PAM401
