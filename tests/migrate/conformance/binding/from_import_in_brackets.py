from vllm._custom_ops import (  # may: PAM101
    convert_fp8,
    paged_attention_v1,  # expect: PAM101
    # the long contexts
    paged_attention_v2 as attend_long,  # expect: PAM101
)


def attend(batch, long_batch, caches):
    convert_fp8(*caches)
    paged_attention_v1(*batch)  # expect: PAM102
    attend_long(*long_batch)  # expect: PAM405
