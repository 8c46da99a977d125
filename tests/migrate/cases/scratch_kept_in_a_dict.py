from vllm import _custom_ops as ops


def attend(o, e, x, t, q, rest):
    state = {"sums": e, "peaks": x}
    ops.paged_attention_v2(o, e, x, t, q, *rest)
    return state["sums"]
# findings
# 6:5 PAM401
