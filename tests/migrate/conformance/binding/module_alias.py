from vllm import _custom_ops as ops


def attend(out, query, keys, values, slots, batch):
    ops.reshape_and_cache(query, keys, values, slots)
    ops.paged_attention_v1(out, query, keys, values, *batch)  # expect: PAM102
    return out
