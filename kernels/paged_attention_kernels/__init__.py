"""Attention over a paged cache in the layout that vLLM's removed functions read.

Nothing heavy is imported before a name is used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from paged_attention_kernels.cache import convert_layout as convert_layout
    from paged_attention_kernels.cache import copy_blocks as copy_blocks
    from paged_attention_kernels.cache import reshape_and_cache as reshape_and_cache
    from paged_attention_kernels.cache import reshape_and_cache_flash as reshape_and_cache_flash
    from paged_attention_kernels.cache import swap_blocks as swap_blocks
    from paged_attention_kernels.decode import paged_attention as paged_attention
    from paged_attention_kernels.merge import merge_attention_states as merge_attention_states
    from paged_attention_kernels.partitions import fill_partitions as fill_partitions

_HOMES = {
    "convert_layout": "cache",
    "copy_blocks": "cache",
    "fill_partitions": "partitions",
    "merge_attention_states": "merge",
    "paged_attention": "decode",
    "reshape_and_cache": "cache",
    "reshape_and_cache_flash": "cache",
    "swap_blocks": "cache",
}

__all__ = [
    "convert_layout",
    "copy_blocks",
    "fill_partitions",
    "merge_attention_states",
    "paged_attention",
    "reshape_and_cache",
    "reshape_and_cache_flash",
    "swap_blocks",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
