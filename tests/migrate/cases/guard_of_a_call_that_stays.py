try:
    from vllm._custom_ops import paged_attention_v2
except ImportError:
    paged_attention_v2 = None


def attend(arguments, more):
    if paged_attention_v2 is not None:
        return paged_attention_v2(*arguments, **more)
    return None
# findings
# 2:34 PAM101
# 3:1 PAM108
# 8:8 PAM103
# 9:16 PAM405
