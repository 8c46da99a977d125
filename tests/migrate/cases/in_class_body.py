class Kernels:
    from vllm import _custom_ops as ops

    attend = staticmethod(ops.paged_attention_v1)
    write = staticmethod(ops.reshape_and_cache)
# output
class Kernels:
    from paged_attention_shim import paged_attention
    from vllm import _custom_ops as ops

    attend = staticmethod(paged_attention)
    write = staticmethod(ops.reshape_and_cache)
# findings
# 4:27 PAM103 safe
