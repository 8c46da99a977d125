import torch
from vllm import _custom_ops as ops


def bench(o, q, kc, vc, n, s, bt, sl, b, m, ks, vs, rounds):
    parts = (m + 511) // 512
    tmp = torch.empty(q.shape[0], q.shape[1], parts, q.shape[2], dtype=q.dtype)
    sums = torch.empty(q.shape[0], q.shape[1], parts, dtype=torch.float32)
    peaks = torch.empty_like(sums)

    def run():
        for _ in range(rounds):
            ops.paged_attention_v2(o, sums, peaks, tmp, q, kc, vc, n, s, bt, sl, b, m, None, "auto", ks, vs)

    run()
    torch.cuda.synchronize()
# output
import torch
from paged_attention_shim import paged_attention


def bench(o, q, kc, vc, n, s, bt, sl, b, m, ks, vs, rounds):
    def run():
        for _ in range(rounds):
            paged_attention(o, q, kc, vc, n, s, bt, sl, b, m, None, "auto", ks, vs)

    run()
    torch.cuda.synchronize()
# findings
# 13:13 PAM102 safe
