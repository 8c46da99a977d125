"""The names that a project's settings tell of, in the form of the table's rows, each with its target."""

from __future__ import annotations

from typing import NamedTuple

from paged_attention_migrate.own import FAMILY, OwnName
from paged_attention_migrate.targets import Target
from paged_attention_migrate.targets.own import target_of
from paged_attention_shim.removed import Home, RemovedName

_CALL_STYLE = "wrapper"


class Row(NamedTuple):
    """A name as the table of removed names would have it, and what takes its place."""

    name: RemovedName
    target: Target


def rows(names: tuple[OwnName, ...]) -> dict[str, tuple[Row, Home]]:
    """The rows by full dotted name."""
    found = {}
    for own in names:
        row = Row(_row(own), target_of(own))
        for home, path in zip(row.name.homes, own.paths, strict=True):
            found[path] = row, home
    return found


def _row(own: OwnName) -> RemovedName:
    """A row without releases, of which the settings say nothing; its two notes are `since` and `reason`."""
    return RemovedName(
        name=own.name,
        homes=tuple(Home(home, "", "", _CALL_STYLE) for home in own.homes),
        generations=(),
        family=FAMILY,
        pull_request=None,
        replacement=own.replacement or "",
        advice=f"call `{own.replacement}`" if own.replacement else "the settings name no replacement",
        notes=(own.since or "", own.reason or ""),
    )
