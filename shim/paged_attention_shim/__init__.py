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
    from paged_attention_shim.installing import install as install
    from paged_attention_shim.installing import uninstall as uninstall
    from paged_attention_shim.rocm import paged_attention_rocm as paged_attention_rocm
    from paged_attention_shim.stubs import PagedAttention as PagedAttention
    from paged_attention_shim.stubs import PagedAttentionMetadata as PagedAttentionMetadata
    from paged_attention_shim.stubs import PagedAttentionWithALiBi as PagedAttentionWithALiBi
    from paged_attention_shim.stubs import PagedAttentionWithRoPE as PagedAttentionWithRoPE
    from paged_attention_shim.stubs import ipex_ops as ipex_ops
    from paged_attention_shim.stubs import paged_attention_v1 as paged_attention_v1
    from paged_attention_shim.stubs import paged_attention_v2 as paged_attention_v2
    from paged_attention_shim.stubs import single_query_cached_kv_attention as single_query_cached_kv_attention
    from paged_attention_shim.usage import Report as Report
    from paged_attention_shim.usage import report as report

_HOMES = {
    "PagedAttention": "stubs",
    "PagedAttentionMetadata": "stubs",
    "PagedAttentionWithALiBi": "stubs",
    "PagedAttentionWithRoPE": "stubs",
    "RemovedAPIError": "gone",
    "Report": "usage",
    "convert_layout": "cache",
    "install": "installing",
    "ipex_ops": "stubs",
    "merge_attention_states": "cache",
    "paged_attention": "attention",
    "paged_attention_rocm": "rocm",
    "paged_attention_v1": "stubs",
    "paged_attention_v2": "stubs",
    "report": "usage",
    "reshape_and_cache": "cache",
    "reshape_and_cache_flash": "cache",
    "single_query_cached_kv_attention": "stubs",
    "uninstall": "installing",
}

__all__ = [
    "PagedAttention",
    "PagedAttentionMetadata",
    "PagedAttentionWithALiBi",
    "PagedAttentionWithRoPE",
    "RemovedAPIError",
    "Report",
    "convert_layout",
    "install",
    "ipex_ops",
    "merge_attention_states",
    "paged_attention",
    "paged_attention_rocm",
    "paged_attention_v1",
    "paged_attention_v2",
    "report",
    "reshape_and_cache",
    "reshape_and_cache_flash",
    "single_query_cached_kv_attention",
    "uninstall",
]


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}{_about(name)}")
    from importlib import import_module

    found = getattr(import_module(f"{__name__}.{home}"), name)
    globals()[name] = found  # the next use asks nobody
    return found


def _about(name: str) -> str:
    """What the table says of a name that cannot be a stub, for it was a value or a module."""
    if name.startswith("__"):
        return ""
    from paged_attention_shim.removed import REMOVED

    row = next((each for each in REMOVED if each.name == name), None)
    if row is None:
        return ""
    from paged_attention_shim.gone import sentences

    return f": {sentences(row)}"


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES})
