from srv.kernels import *


def run(batch, caches):
    reshape_and_cache(*caches)
    paged_attention_v1(*batch)
