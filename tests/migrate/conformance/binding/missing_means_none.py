try:
    from vllm._custom_ops import paged_attention_v1  # expect: PAM101
except ImportError:  # may: PAM108
    paged_attention_v1 = None  # may: PAM103


def attend(batch):
    if paged_attention_v1 is not None:  # may: PAM103
        paged_attention_v1(*batch)  # expect: PAM102
