def attend():
    """Decode.

    >>> from vllm import _custom_ops as ops
    >>> ops.paged_attention_v1(*batch)
    """
