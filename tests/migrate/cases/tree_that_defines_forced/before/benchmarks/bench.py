import vllm._custom_ops as vllm_ops


def bench(o, e, x, t, rest):
    vllm_ops.paged_attention_v2(o, e, x, t, *rest)
