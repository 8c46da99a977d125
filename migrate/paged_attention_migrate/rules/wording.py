"""The sentences that several rules share, made from the table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from paged_attention_migrate.own import FAMILY

if TYPE_CHECKING:
    from paged_attention_migrate.module import Module
    from paged_attention_shim.removed import Home, RemovedName


def gone(name: RemovedName, home: Home) -> str:
    """What is gone and since when: `vllm._custom_ops.paged_attention_v1` is gone since vLLM 0.25.0 (#47361)."""
    if name.family == FAMILY:
        return f"`{home.path}.{name.name}` is {_gone_by_settings(*name.notes)}"
    path = home.path if home.path.endswith("." + name.name) else f"{home.path}.{name.name}"
    request = f" (#{name.pull_request})" if name.pull_request and home.removed_in == name.removed_in else ""
    return f"`{path}` is gone since vLLM {home.removed_in}{request}"


def perhaps_gone(module: Module, name: str) -> tuple[str, str]:
    """Of a name whose home is not known: since when it is gone if it is a removed one, and whose it is then."""
    rows = _own_rows(module, name)
    if not rows:
        return "gone since vLLM 0.25.0", "vLLM's"
    homes = dict.fromkeys(home.path for row in rows for home in row.homes)
    return _gone_by_settings(*rows[0].notes), " or ".join(f"`{home}`" for home in homes)


def may_be_meant(module: Module, name: str) -> bool:
    """Whether a name on an unknown object is worth a warning: of the project's own, where a home's package is imported.

    They may be everyday words, and a `load` of any object is not the one that is gone.
    """
    rows = _own_rows(module, name)
    packages = {home.path.partition(".")[0] for row in rows for home in row.homes}
    return not rows or any(binding.path.partition(".")[0] in packages for binding in module.flow.imports)


def _own_rows(module: Module, name: str) -> list[RemovedName]:
    return [row.name for row, _ in module.own.values() if row.name.name == name]


def _gone_by_settings(since: str, reason: str) -> str:
    return f"gone{f' since {since}' if since else ''}{f' ({reason})' if reason else ''}"


def then(name: RemovedName) -> str:
    """The advice of a row as the second half of a sentence."""
    advice = name.advice.rstrip(".")
    return advice[:1].lower() + advice[1:]
