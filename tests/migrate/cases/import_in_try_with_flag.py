try:
    from vllm import _custom_ops as ops
    HAVE_OPS = True
except ImportError:
    HAVE_OPS = False


def attend(batch):
    if not HAVE_OPS:
        raise RuntimeError("install vllm")
    ops.paged_attention_v1(*batch)
# output
try:
    from paged_attention_shim import paged_attention
    HAVE_OPS = True
except ImportError:
    HAVE_OPS = False


def attend(batch):
    if not HAVE_OPS:
        raise RuntimeError("install vllm")
    paged_attention(*batch)
# findings
# 11:5 PAM102 safe
