from vllm._custom_ops import paged_attention_v1  # expect: PAM101


def attend(**arguments):
    return paged_attention_v1(**arguments)  # expect: PAM102
