import vllm
from packaging.version import Version

if Version(vllm.__version__) >= Version("0.4.1"):
    from vllm import _custom_ops as ops
else:
    from vllm._C import ops


def attend(o, q, kc, vc, n, s, bt, sl, b, m):
    ops.paged_attention_v1(o, q, kc, vc, n, s, bt, sl, b, m, None, "auto")
# output
from paged_attention_shim import paged_attention


def attend(o, q, kc, vc, n, s, bt, sl, b, m):
    paged_attention(o, q, kc, vc, n, s, bt, sl, b, m, None, "auto")
# findings
# 7:25 PAM203 safe
# 11:5 PAM102 safe
