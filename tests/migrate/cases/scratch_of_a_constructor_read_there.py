import torch
from vllm import _custom_ops as ops


class Backend:
    def __init__(self, sums, peaks, tmp):
        self.sums, self.peaks, self.tmp = sums, peaks, tmp

    def attend(self, o, rest):
        ops.paged_attention_v2(o, self.sums, self.peaks, self.tmp, *rest)


def main(o, n, rest):
    sums = torch.empty(n)
    backend = Backend(sums, torch.empty(n), torch.empty(n))
    backend.attend(o, rest)
    return sums.sum()
# findings
# 10:9 PAM401
