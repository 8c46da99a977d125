from vllm._custom_ops import paged_attention_v1  # noqa: PAM101


def attend(batch):
    paged_attention_v1(*batch)  # noqa: PAM102
