from engine import env, platform

if env.fast and platform.has_cuda:
    from vllm._custom_ops import paged_attention_v1  # expect: PAM101


def attend(batch):
    if env.fast and platform.has_cuda:
        paged_attention_v1(*batch)  # expect: PAM102
