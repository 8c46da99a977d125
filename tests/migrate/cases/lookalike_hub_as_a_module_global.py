from kernels import get_kernel

_kernel = None


def kernel():
    global _kernel
    if _kernel is None:
        _kernel = get_kernel("kernels-community/paged-attention")
    return _kernel


def decode(batch):
    kernel().paged_attention_v2(*batch)
