"""The names that a project's settings tell of, in the form of the table's rows, each with its target."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from paged_attention_migrate.own import FAMILY, OwnName
from paged_attention_migrate.targets import Target
from paged_attention_migrate.targets.own import NO_REPLACEMENT, target_of
from paged_attention_shim.removed import Home, RemovedName

_CALL_STYLE = "wrapper"


class Row(NamedTuple):
    """A name as the table of removed names would have it, and what takes its place."""

    name: RemovedName
    target: Target


def rows(names: tuple[OwnName, ...], path: str) -> dict[str, tuple[Row, Home]]:
    """The rows by full dotted name, for the file at `path`.

    The module that is to have the replacement cannot call it by way of itself, so there everything is for a person.
    """
    found = {}
    for own in names:
        module = (own.replacement or "").rpartition(".")[0]
        itself = bool(module) and _is_module(path, module)
        told = f"this file is `{module}` itself" if itself else ""
        row = _row_and_target(own, told)
        for home, full in zip(row.name.homes, own.paths, strict=True):
            found[full] = row, home
    return found


@cache
def _row_and_target(own: OwnName, told: str) -> Row:
    """Made once for all files; `told` says why nothing takes the place of the name although the settings say what."""
    return Row(_row(own, told), target_of(own._replace(replacement=None) if told else own, told))


def _is_module(path: str, module: str) -> bool:
    place = f"/{module.replace('.', '/')}"
    return f"/{path}".endswith((f"{place}.py", f"{place}/__init__.py", f"{place}.pyi", f"{place}/__init__.pyi"))


def _row(own: OwnName, told: str) -> RemovedName:
    """A row without releases, of which the settings say nothing; its two notes are `since` and `reason`."""
    call = f"call `{own.replacement}`" if own.replacement else NO_REPLACEMENT
    return RemovedName(
        name=own.name,
        homes=tuple(Home(home, "", "", _CALL_STYLE) for home in own.homes),
        generations=(),
        family=FAMILY,
        pull_request=None,
        replacement=own.replacement or "",
        advice=told or call,
        notes=(own.since or "", own.reason or ""),
    )
