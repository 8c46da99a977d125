from vllm import _custom_ops as ops


def attend(batch):
    # if batch.short:
    #     ops.paged_attention_v1(*batch)
    # else:
    #     ops.paged_attention_v2(*batch)
    ops.paged_attention_rocm(*batch)
