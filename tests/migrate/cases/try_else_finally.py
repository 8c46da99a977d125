try:
    import vllm._custom_ops as ops
except ImportError:
    raise
else:
    READY = True
finally:
    DONE = True


def run(batch):
    ops.paged_attention_v1(*batch)
# output
try:
    from paged_attention_shim import paged_attention
except ImportError:
    raise
else:
    READY = True
finally:
    DONE = True


def run(batch):
    paged_attention(*batch)
# findings
# 12:5 PAM102 safe
