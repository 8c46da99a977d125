import srv.kernels


def run(batch):
    srv.kernels.ops.paged_attention_v1(*batch)
