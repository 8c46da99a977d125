import operator

from vllm import _custom_ops as ops


def f(b):
    operator.attrgetter("paged_attention_v1")(ops)(*b)
    operator.methodcaller("paged_attention_v1", *b)(ops)
# findings
# 7:25 PAM104
# 8:27 PAM104
