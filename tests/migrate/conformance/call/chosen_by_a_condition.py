from vllm import _custom_ops as ops


def attend(short, batch):
    kernel = ops.paged_attention_v1 if short else ops.reshape_and_cache  # expect: PAM103
    kernel(*batch)  # may: PAM109
