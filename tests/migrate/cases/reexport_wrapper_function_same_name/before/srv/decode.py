from srv.kernels import paged_attention_v1


def run(batch):
    paged_attention_v1(*batch)
