from vllm import _custom_ops as ops

KERNELS = {
    "v1": ops.paged_attention_v1,  # expect: PAM103
    "v2": ops.paged_attention_v2,  # expect: PAM103
    "rocm": ops.paged_attention_rocm,
}


def attend(version, batch):
    KERNELS[version](*batch)  # may: PAM109
