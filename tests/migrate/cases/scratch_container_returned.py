from vllm import _custom_ops as ops


def attend(workspace, o, q, rest):
    ops.paged_attention_v2(o, workspace[0], workspace[1], workspace[2], q, *rest)
    return workspace
# findings
# 5:5 PAM401
