from vllm import _custom_ops as ops


def attend(o, e, x, t, q, rest):
    kept = []
    kept.append(e)
    ops.paged_attention_v2(o, e, x, t, q, *rest)
    return kept
# findings
# 7:5 PAM401
