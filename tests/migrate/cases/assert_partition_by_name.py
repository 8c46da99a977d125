from vllm import _custom_ops as ops
from vllm.attention.ops.paged_attn import _PARTITION_SIZE


def f(o, e, x, t, b, rest):
    assert _PARTITION_SIZE % b == 0
    ops.paged_attention_v2(o, e, x, t, b, *rest)
# output
from paged_attention_shim import paged_attention
from vllm.attention.ops.paged_attn import _PARTITION_SIZE


def f(o, e, x, t, b, rest):
    assert _PARTITION_SIZE % b == 0
    paged_attention(o, b, *rest)
# findings
# 2:43 PAM201
# 7:5 PAM102 safe
