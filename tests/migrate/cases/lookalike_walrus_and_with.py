from mylib import open_kernel

with open_kernel() as paged_attention_v1:
    paged_attention_v1(1)

if (paged_attention_v2 := open_kernel()):
    paged_attention_v2(1)
