from vllm import _custom_ops

ops, limit = _custom_ops, 8192


def attend(batch):
    ops.paged_attention_v1(*batch)  # expect: PAM102
