from kernels import get_kernel

hub = get_kernel("kernels-community/paged-attention")


def attend(batch):
    hub.paged_attention_v1(*batch)
    hub.paged_attention_v2(*batch)
