from kernels import get_kernel

attend = get_kernel("kernels-community/paged-attention").paged_attention_v1


def decode(batch):
    attend(*batch)
