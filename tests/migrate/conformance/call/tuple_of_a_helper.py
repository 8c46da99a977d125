from vllm import _custom_ops as ops


def _arguments(out, query, keys, values, tables, lens, one):
    return (out, query, keys, values, 8, 0.125, tables, lens, 16, 4096, None, "auto", one, one, 0, 0, 0, 64, 0)


def attend(*tensors):
    arguments = _arguments(*tensors)
    ops.paged_attention_v1(*arguments)  # expect: PAM102
