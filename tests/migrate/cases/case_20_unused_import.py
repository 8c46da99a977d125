def baseline_or_none():
    try:
        from vllm._custom_ops import paged_attention_v2  # noqa: F401
        raise ImportError("baseline not wired")
    except ImportError:
        return None
# output
def baseline_or_none():
    try:
        from paged_attention_shim import paged_attention  # noqa: F401
        raise ImportError("baseline not wired")
    except ImportError:
        return None
# findings
# 3:38 PAM101 safe
# 5:5 PAM108
