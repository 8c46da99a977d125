def usable(batch):
    try:
        from vllm._custom_ops import paged_attention_v1  # expect: PAM101

        paged_attention_v1(*batch)  # expect: PAM102
    except ImportError:  # may: PAM108
        return False
    return True
