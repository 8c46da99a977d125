from paged_attention_shim import paged_attention


def f(o, e, x, t, rest):
	paged_attention(  # call
		o,
		# sums
		*rest,
	)
