from vllm import _custom_ops as ops  # type: ignore[import-not-found]  # isort: skip


def f(batch):
    # fmt: off
    ops.paged_attention_v1( *batch )  # type: ignore[attr-defined]  # pylint: disable=no-member
    # fmt: on
# output
from paged_attention_shim import paged_attention  # type: ignore[import-not-found]  # isort: skip


def f(batch):
    # fmt: off
    paged_attention( *batch )  # type: ignore[attr-defined]  # pylint: disable=no-member
    # fmt: on
# findings
# 6:5 PAM102 safe
