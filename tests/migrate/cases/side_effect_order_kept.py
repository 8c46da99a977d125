from vllm import _custom_ops as ops


def f(q, make, rest):
    ops.paged_attention_v2(make(), q.sums, q.peaks[0], q.tmp, q.next(), *rest)
# output
from paged_attention_shim import paged_attention


def f(q, make, rest):
    paged_attention(make(), q.next(), *rest)
# findings
# 5:5 PAM102 safe
