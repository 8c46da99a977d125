from vllm import _custom_ops as ops


def scratch(fn):
    return fn is ops.paged_attention_v2 or fn == ops.paged_attention_v1
# findings
# 5:18 PAM111
# 5:50 PAM111
