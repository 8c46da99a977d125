try:
    import vllm._custom_ops as ops
except ImportError:
    ops = None

HAVE = ops is not None


def f(batch):
    if HAVE:
        ops.paged_attention_v1(*batch)
# output
try:
    import vllm._custom_ops as ops
    from paged_attention_shim import paged_attention
except ImportError:
    ops = None

HAVE = ops is not None


def f(batch):
    if HAVE:
        paged_attention(*batch)
# findings
# 11:9 PAM102 safe
