from __future__ import annotations

from typing import TYPE_CHECKING, Callable

if TYPE_CHECKING:
    from vllm._custom_ops import paged_attention_v1

Kernel = Callable[..., None]


def same(kernel: paged_attention_v1) -> Kernel:
    return kernel
# output
from __future__ import annotations

from typing import TYPE_CHECKING, Callable

if TYPE_CHECKING:
    from paged_attention_shim import paged_attention

Kernel = Callable[..., None]


def same(kernel: paged_attention) -> Kernel:
    return kernel
# findings
# 6:34 PAM101 safe
# 11:18 PAM103 safe
