import vllm


def f(b):
    vllm._custom_ops.paged_attention_v1(*b)
    vllm.attention_ops.single_query_cached_kv_attention(*b)
# output
import vllm
from paged_attention_shim import paged_attention


def f(b):
    paged_attention(*b)
    vllm.attention_ops.single_query_cached_kv_attention(*b)
# findings
# 5:5 PAM102 safe
# 6:5 PAM405 unsafe
