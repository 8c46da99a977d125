from vllm import _custom_ops as ops


class Kernels:
    attend = staticmethod(ops.paged_attention_v1)  # expect: PAM103
    write = staticmethod(ops.reshape_and_cache)
