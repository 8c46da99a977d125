from vllm import _custom_ops as ops


def f(o, e, x, t, rest):
	ops.paged_attention_v2(  # call
		o,
		e, x,  # sums
		t,
		*rest,
	)
