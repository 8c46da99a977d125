from srv.base import kernels


def run(batch):
    kernels.ops.paged_attention_v1(*batch)
