from vllm import _custom_ops as ops


def takes_scratch(kernel):
    return kernel is ops.paged_attention_v2  # expect: PAM111
