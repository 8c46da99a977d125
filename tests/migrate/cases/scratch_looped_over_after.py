from vllm import _custom_ops as ops


def attend(o, e, x, t, q, rest):
    ops.paged_attention_v2(o, e, x, t, q, *rest)
    for buffer in (e, x):
        print(buffer.max())
# findings
# 5:5 PAM401
