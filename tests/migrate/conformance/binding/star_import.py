from vllm._custom_ops import *  # noqa: F403  # may: PAM110


def attend(batch):
    paged_attention_v1(*batch)  # noqa: F405  # expect: PAM110
