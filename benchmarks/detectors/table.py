"""The removed names as every detector is given them, made from the shim's table."""

from __future__ import annotations

from paged_attention_shim.removed import REMOVED

MODULES = ("vllm.attention_ops", "vllm.cache_ops", "vllm._C.ops", "vllm._C.cache_ops", "vllm._ipex_ops")
ATTENTION = tuple(sorted(name.name for name in REMOVED if name.family == "attention"))
DELETED_SOURCES = r"(paged_attention_v[12]\.cu|attention_kernels\.cuh?)"


def paths() -> list[str]:
    """Every full dotted name that is gone: functions, methods, classes, constants and modules."""
    return sorted({f"{home.path}.{name.name}" for name in REMOVED for home in name.homes} | set(MODULES))


def homes() -> dict[str, list[str]]:
    """The removed names by the module or class that held them."""
    found: dict[str, list[str]] = {}
    for name in REMOVED:
        for home in name.homes:
            found.setdefault(home.path, []).append(name.name)
    return found
