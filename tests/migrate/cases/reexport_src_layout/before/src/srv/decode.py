from srv.kernels import ops


def run(batch):
    ops.paged_attention_v1(*batch)
