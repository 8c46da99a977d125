import triton

@triton.jit
def paged_attention_v1(x):
    pass

paged_attention_v1[(1,)](1)
