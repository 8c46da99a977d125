# vLLM's kernels: see the README.
from vllm import _custom_ops as ops
from vllm.utils import cdiv


def f(batch, caches):
    ops.paged_attention_v1(*batch)
    ops.reshape_and_cache(*caches)
    return cdiv
# output
# vLLM's kernels: see the README.
from vllm import _custom_ops as ops
from paged_attention_shim import paged_attention
from vllm.utils import cdiv


def f(batch, caches):
    paged_attention(*batch)
    ops.reshape_and_cache(*caches)
    return cdiv
# findings
# 7:5 PAM102 safe
