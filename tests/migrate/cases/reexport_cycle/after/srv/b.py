from paged_attention_shim import paged_attention
from srv.a import ops2 as ops


def run(batch):
    paged_attention(*batch)
