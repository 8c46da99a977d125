import srv.kernels as k


def run(batch):
    k.ops.paged_attention_v1(*batch)
