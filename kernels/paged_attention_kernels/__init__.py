"""Attention over a paged cache in the layout that vLLM's removed functions read.

Nothing heavy is imported before a name is used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from paged_attention_kernels.decode import paged_attention as paged_attention

_HOMES = {"paged_attention": "decode"}

__all__ = ["paged_attention"]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
