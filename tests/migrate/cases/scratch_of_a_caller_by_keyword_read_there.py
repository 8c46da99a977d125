import torch
from vllm import _custom_ops as ops


class Backend:
    def attend(self, o, rest, *, e, x, t):
        ops.paged_attention_v2(o, e, x, t, *rest)

    def main(self, o, n, rest):
        sums, peaks, tmp = torch.empty(n), torch.empty(n), torch.empty(n)
        self.attend(o, rest, t=tmp, x=peaks, e=sums)
        return peaks.max()
# findings
# 7:9 PAM401
