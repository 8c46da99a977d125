import triton
import triton.language as tl


@triton.autotune(configs=[], key=["size"])
@triton.jit
def paged_attention_v2(out, query, size: tl.constexpr):
    pass


def decode(out, query):
    grid = lambda meta: (query.shape[0],)
    paged_attention_v2[grid](out, query, size=64)
