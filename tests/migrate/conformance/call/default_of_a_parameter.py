from vllm import _custom_ops as ops


def attend(batch, kernel=ops.paged_attention_v1):  # expect: PAM103
    kernel(*batch)  # may: PAM109
