from vllm import _custom_ops as ops


def attend(version, batch, long_batch, rocm_batch):
    if version == "v1":
        ops.paged_attention_v1(*batch)  # expect: PAM102
    elif version == "v2":
        ops.paged_attention_v2(*long_batch)  # expect: PAM405
    else:
        ops.paged_attention_rocm(*rocm_batch)
