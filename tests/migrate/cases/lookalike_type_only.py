from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from vllm import _custom_ops as ops


def decode(batch, kernels: ops) -> None:
    kernels.rms_norm(*batch)
