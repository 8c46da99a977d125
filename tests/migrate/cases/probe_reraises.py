def load():
    try:
        from vllm._custom_ops import paged_attention_v1
    except ImportError as error:
        raise RuntimeError("vLLM is too new") from error
    return paged_attention_v1
# output
def load():
    try:
        from paged_attention_shim import paged_attention
    except ImportError as error:
        raise RuntimeError("vLLM is too new") from error
    return paged_attention
# findings
# 3:38 PAM101 safe
# 6:12 PAM103 safe
