from vllm import _custom_ops as ops


def run(o, q, options):
    ops.paged_attention_v1(out=o, query=q, **options)
# output
from paged_attention_shim import paged_attention


def run(o, q, options):
    paged_attention(out=o, query=q, **options)
# findings
# 5:5 PAM102 safe
