from srv.kernels import *


def run(batch):
    paged_attention_v1(*batch)
