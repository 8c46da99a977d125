from vllm import _custom_ops as ops


def go(o, e, m, t, options):
    ops.paged_attention_v2(o, e, m, t, **options)
# output
from paged_attention_shim import paged_attention


def go(o, e, m, t, options):
    paged_attention(o, **options)
# findings
# 5:5 PAM102 safe
