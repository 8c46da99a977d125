import torch
from pkg.attention import attend


def main(o, n, rest):
    sums, peaks, tmp = torch.empty(n), torch.empty(n), torch.empty(n)
    attend(o, sums, peaks, tmp, rest)
    return o
