from types import SimpleNamespace

from vllm import _custom_ops as ops

ns = SimpleNamespace(ops=ops)


def f(b):
    ns.ops.paged_attention_v1(*b)
# findings
# 9:5 PAM109
