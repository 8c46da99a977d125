import vllm._custom_ops as ops


def f(batch):
    f.kernel(*batch)


f.kernel = ops.paged_attention_v1
# output
from paged_attention_shim import paged_attention


def f(batch):
    f.kernel(*batch)


f.kernel = paged_attention
# findings
# 8:12 PAM103 safe
