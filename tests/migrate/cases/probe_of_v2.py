def available(o, e, x, t, rest):
    try:
        from vllm._custom_ops import paged_attention_v2
        paged_attention_v2(o, e, x, t, *rest)
    except Exception:
        return False
    return True
# output
def available(o, e, x, t, rest):
    try:
        from paged_attention_shim import paged_attention
        paged_attention(o, *rest)
    except Exception:
        return False
    return True
# findings
# 3:38 PAM101 safe
# 4:9 PAM102 safe
# 5:5 PAM108
