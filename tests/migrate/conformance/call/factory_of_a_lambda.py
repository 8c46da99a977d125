import vllm._custom_ops as ops


def runner(*batch):
    return lambda: ops.paged_attention_v1(*batch)  # expect: PAM102
