try:
    import vllm._custom_ops as ops
except ImportError:
    ops = None


def f(batch, g):
    return ops.paged_attention_v1(*batch) if ops else g(*batch)
# output
try:
    import vllm._custom_ops as ops
    from paged_attention_shim import paged_attention
except ImportError:
    ops = None


def f(batch, g):
    return paged_attention(*batch) if ops else g(*batch)
# findings
# 8:12 PAM102 safe
