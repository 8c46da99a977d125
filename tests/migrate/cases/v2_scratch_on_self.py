import torch
from vllm import _custom_ops as ops


class Decoder:
    def __init__(self, seqs, heads, parts, size):
        self.sums = torch.empty(seqs, heads, parts)
        self.peaks = torch.empty_like(self.sums)
        self.tmp = torch.empty(seqs, heads, parts, size)

    def run(self, o, q, kc, vc, n, s, bt, sl, b, m, ks, vs):
        ops.paged_attention_v2(o, self.sums, self.peaks, self.tmp, q, kc, vc, n, s, bt, sl, b, m, None, "auto", ks, vs)
# output
import torch
from paged_attention_shim import paged_attention


class Decoder:
    def __init__(self, seqs, heads, parts, size):
        self.sums = torch.empty(seqs, heads, parts)
        self.peaks = torch.empty_like(self.sums)
        self.tmp = torch.empty(seqs, heads, parts, size)

    def run(self, o, q, kc, vc, n, s, bt, sl, b, m, ks, vs):
        paged_attention(o, q, kc, vc, n, s, bt, sl, b, m, None, "auto", ks, vs)
# findings
# 12:9 PAM102 safe
