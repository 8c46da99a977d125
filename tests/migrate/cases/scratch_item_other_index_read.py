from vllm import _custom_ops as ops


def attend(workspace, o, q, rest):
    ops.paged_attention_v2(o, workspace[0], workspace[1], workspace[2], q, *rest)
    return workspace[3].sum()
# output
from paged_attention_shim import paged_attention


def attend(workspace, o, q, rest):
    paged_attention(o, q, *rest)
    return workspace[3].sum()
# findings
# 5:5 PAM102 safe
