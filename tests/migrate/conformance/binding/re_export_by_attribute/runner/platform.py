import vllm._custom_ops as ops


def warm_up(caches):
    ops.convert_fp8(*caches)
