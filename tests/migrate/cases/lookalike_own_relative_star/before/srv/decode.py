from . import paged_attention_v2
from . import kernels as ops


def run(batch):
    paged_attention_v2(*batch)
    ops.paged_attention_v2(*batch)
