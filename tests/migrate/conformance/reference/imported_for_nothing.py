def baseline():
    try:
        from vllm._custom_ops import paged_attention_v2  # noqa: F401  # expect: PAM101
    except ImportError:  # may: PAM108
        return None
    raise NotImplementedError
