from vllm._ipex_ops import ipex_ops  # expect: PAM202


def attend(batch):
    ipex_ops.paged_attention_v1(*batch)  # expect: PAM202
