_VERIFIED = None


def verified(batch):
    global _VERIFIED
    if _VERIFIED is None:
        try:
            from vllm import _custom_ops

            _custom_ops.paged_attention_v1(*batch)  # expect: PAM102
            _VERIFIED = True
        except Exception:  # may: PAM108
            _VERIFIED = False
    return _VERIFIED
