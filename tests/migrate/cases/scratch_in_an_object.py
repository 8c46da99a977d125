from vllm import _custom_ops as ops


def attend(o, e, x, t, q, rest):
    state = Workspace(e, x, t)
    ops.paged_attention_v2(o, e, x, t, q, *rest)
    return state.log_sum_exp()


class Workspace: ...
# findings
# 6:5 PAM401
