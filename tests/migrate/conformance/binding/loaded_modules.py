import sys


def attend(batch):
    sys.modules["vllm._custom_ops"].paged_attention_v1(*batch)  # expect: PAM102
