def decode(batch):
    from kernels import get_kernel

    ops = get_kernel("kernels-community/paged-attention", revision="main")
    ops.paged_attention_v1(*batch)
    ops.paged_attention_v2(*batch)
