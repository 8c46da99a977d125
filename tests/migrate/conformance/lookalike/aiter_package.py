from aiter import paged_attn as ops


def attend(batch):
    ops.paged_attention_v1(*batch)
