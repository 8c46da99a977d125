from vllm import _C

ops = _C.ops


def attend(o, q, kc, vc, n, s, bt, sl, b, m, scale):
    ops.paged_attention_v1(o, q, kc, vc, n, s, bt, sl, b, m, None, "auto", scale)
    ops.rms_norm(o, q, scale, s)  # noqa: F841
    return _C.cache_ops.copy_blocks  # noqa: PAM203
# output
from paged_attention_shim import paged_attention
from vllm import _C

ops = _C.ops


def attend(o, q, kc, vc, n, s, bt, sl, b, m, scale):
    paged_attention(o, q, kc, vc, n, s, bt, sl, b, m, None, "auto", scale, scale)
    ops.rms_norm(o, q, scale, s)  # noqa: F841
    return _C.cache_ops.copy_blocks  # noqa: PAM203
# findings
# 3:7 PAM203
# 7:5 PAM102 safe
