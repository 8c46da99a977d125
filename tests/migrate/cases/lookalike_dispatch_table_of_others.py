import mylib
from aiter import paged_attn

KERNELS = [("v1", paged_attn.paged_attention_v1), ("v2", mylib.paged_attention_v2)]

for name, kernel in KERNELS:
    kernel(name)
