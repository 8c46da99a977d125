from typing import Any, cast

from vllm import _custom_ops as ops


def f(b):
    cast(Any, ops).paged_attention_v1(*b)
# findings
# 7:5 PAM109
