from vllm import _custom_ops as ops


def bench(batch):
    for kernel in (ops.paged_attention_v1, ops.paged_attention_rocm):  # expect: PAM103
        kernel(*batch)  # may: PAM109
