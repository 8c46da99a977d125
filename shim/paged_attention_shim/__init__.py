"""The call that survives vLLM's removed paged attention functions, and the table of what was removed.

Importing it costs the standard library only; torch and the kernels are loaded when a function is first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from paged_attention_shim.attention import paged_attention as paged_attention
    from paged_attention_shim.cache import convert_layout as convert_layout
    from paged_attention_shim.cache import merge_attention_states as merge_attention_states
    from paged_attention_shim.cache import reshape_and_cache as reshape_and_cache
    from paged_attention_shim.cache import reshape_and_cache_flash as reshape_and_cache_flash
    from paged_attention_shim.gone import RemovedAPIError as RemovedAPIError
    from paged_attention_shim.gone import paged_attention_v1 as paged_attention_v1
    from paged_attention_shim.gone import paged_attention_v2 as paged_attention_v2
    from paged_attention_shim.rocm import paged_attention_rocm as paged_attention_rocm

_HOMES = {
    "RemovedAPIError": "gone",
    "convert_layout": "cache",
    "merge_attention_states": "cache",
    "paged_attention": "attention",
    "paged_attention_rocm": "rocm",
    "paged_attention_v1": "gone",
    "paged_attention_v2": "gone",
    "reshape_and_cache": "cache",
    "reshape_and_cache_flash": "cache",
}

__all__ = [
    "RemovedAPIError",
    "convert_layout",
    "merge_attention_states",
    "paged_attention",
    "paged_attention_rocm",
    "paged_attention_v1",
    "paged_attention_v2",
    "reshape_and_cache",
    "reshape_and_cache_flash",
]


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    found = getattr(import_module(f"{__name__}.{home}"), name)
    globals()[name] = found  # the next use asks nobody
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES})
