"""The sentences that several rules share, made from the table."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from paged_attention_shim.removed import Home, RemovedName


def gone(name: RemovedName, home: Home) -> str:
    """What is gone and since when: `vllm._custom_ops.paged_attention_v1` is gone since vLLM 0.25.0 (#47361)."""
    path = home.path if home.path.endswith("." + name.name) else f"{home.path}.{name.name}"
    request = f" (#{name.pull_request})" if name.pull_request and home.removed_in == name.removed_in else ""
    return f"`{path}` is gone since vLLM {home.removed_in}{request}"


def then(name: RemovedName) -> str:
    """The advice of a row as the second half of a sentence."""
    advice = name.advice.rstrip(".")
    return advice[:1].lower() + advice[1:]
