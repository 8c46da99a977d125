from vllm import _custom_ops as ops


class A:
	def f(self, o, e, x, t, rest):
		# scratch
		ops.paged_attention_v2(
			o,
			e, x, t,
			*rest,
		)
# output
from paged_attention_shim import paged_attention


class A:
	def f(self, o, e, x, t, rest):
		# scratch
		paged_attention(
			o,
			*rest,
		)
# findings
# 7:3 PAM102 safe
