_ops = None


def _load():
    global _ops
    if _ops is None:
        from vllm import _custom_ops as _ops


def attend(batch):
    _load()
    _ops.paged_attention_v1(*batch)  # expect: PAM102
