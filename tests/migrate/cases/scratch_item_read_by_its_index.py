from vllm import _custom_ops as ops


def attend(workspace, o, q, rest):
    sums = workspace[0]
    ops.paged_attention_v2(o, sums, workspace[1], workspace[2], q, *rest)
    return workspace[0].sum()
# findings
# 6:5 PAM401
