from vllm import _custom_ops


def attend(batch):
    _custom_ops.paged_attention_v1(*batch)  # expect: PAM102
