from vllm._C import ops


def run(o, q, kc, vc, n, s, bt, cl, b, longest):
    ops.paged_attention_v1(o, q, kc, vc, n, s, bt, cl, b, longest, None, "auto", 1.0)
# output
from paged_attention_shim import paged_attention


def run(o, q, kc, vc, n, s, bt, cl, b, longest):
    paged_attention(o, q, kc, vc, n, s, bt, cl, b, longest, None, "auto", 1.0, 1.0)
# findings
# 1:21 PAM203 safe
# 5:5 PAM102 safe
