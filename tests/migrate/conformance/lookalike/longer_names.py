from vllm import _custom_ops as ops


def attend(batch):
    ops.kvcompress_paged_attention_v1(*batch)
    ops.consolidated_paged_attention_v2(*batch)
    ops.paged_attention_v2_online(*batch)
    ops.paged_attention_v3(*batch)
