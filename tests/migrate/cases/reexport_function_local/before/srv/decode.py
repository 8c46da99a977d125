def run(batch):
    from .kernels import ops

    ops.paged_attention_v1(*batch)
    ops.reshape_and_cache(*batch)
