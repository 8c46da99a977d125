def available():
    try:
        from vllm._custom_ops import paged_attention_v1 as kernel
    except ImportError:
        kernel = None
    return kernel is not None
# output
def available():
    try:
        from paged_attention_shim import paged_attention as kernel
    except ImportError:
        kernel = None
    return kernel is not None
# findings
# 3:38 PAM101 safe
# 4:5 PAM108
# 6:12 PAM103 safe
