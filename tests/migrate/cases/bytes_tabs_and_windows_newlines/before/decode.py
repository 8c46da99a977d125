from vllm import _custom_ops as ops


def f(b):
	ops.paged_attention_v1(*b)  # done
	return b
