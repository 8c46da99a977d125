def run(batch):
    from .kernels import ops
    from paged_attention_shim import paged_attention

    paged_attention(*batch)
    ops.reshape_and_cache(*batch)
