from vllm import _custom_ops as ops


def f(value, batch):
    match value:
        case {"ops": ops}:
            ops.paged_attention_v1(*batch)
# findings
# 7:13 PAM109
