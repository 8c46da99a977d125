from vllm import _custom_ops as ops

def f(*a):
    ops.kvcompress_paged_attention_v1(*a)
    ops.paged_attention_v3(*a)
    ops.test_paged_attention_v1_core(*a)
