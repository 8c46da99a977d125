def _ops():
    from vllm import _custom_ops

    return _custom_ops


def attend(batch):
    _ops().paged_attention_v1(*batch)  # expect: PAM102
