import vllm._custom_ops


def attend(batch):
    if (ops := vllm._custom_ops) is not None:
        ops.paged_attention_v1(*batch)  # expect: PAM102
