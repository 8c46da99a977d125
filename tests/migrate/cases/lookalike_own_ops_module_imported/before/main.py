import ops
from ops import paged_attention_v1


def run(batch):
    ops.paged_attention_v1(*batch)
    paged_attention_v1(*batch)
