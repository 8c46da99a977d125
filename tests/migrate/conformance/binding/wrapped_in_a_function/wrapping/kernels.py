def load():
    from vllm import _custom_ops

    return _custom_ops
