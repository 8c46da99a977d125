from aphrodite import _custom_ops as ops
from kernels import get_kernel
import attention_kernels
from lmi_vllm import attention_ops

def f(*a):
    ops.paged_attention_v1(*a)
    attention_kernels.paged_attention_v1(*a)
    get_kernel("x/y").paged_attention_v2(*a)
    attention_ops.paged_attention_v1(*a)
