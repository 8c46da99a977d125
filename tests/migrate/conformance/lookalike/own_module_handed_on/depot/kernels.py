from kernels import get_kernel

ops = get_kernel("kernels-community/paged-attention")
