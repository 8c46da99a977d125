from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from vllm import _custom_ops as ops


def attend(batch):
    from vllm import _custom_ops as ops

    ops.paged_attention_v1(*batch)  # expect: PAM102
