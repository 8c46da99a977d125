from srv.a import ops2 as ops


def run(batch):
    ops.paged_attention_v1(*batch)
