"""What may be done with a call of a removed attention function."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from paged_attention_migrate.calls.arguments import arguments_of
from paged_attention_migrate.calls.binding import Entry, Pin, ambiguous, misfit, one_meaning, readings

if TYPE_CHECKING:
    from paged_attention_migrate.calls.verdict import Verdict
    from paged_attention_migrate.targets import Place


def judge(
    place: Place,
    entries: Iterable[Entry],
    version: str | None,
    pinned: Pin,
    skip: int = 0,
    complete: bool = True,
) -> Verdict:
    """Say how a call to one of `entries` (the same function, perhaps from several homes) becomes one of the target.

    `skip` leading arguments are not the function's own (1 inside `functools.partial`);
    `complete` is False when more arguments follow later.
    """
    target = place.module.target
    given = arguments_of(place.call)[skip:]
    entries = list(entries)
    if any(argument.star for argument in given):
        return target.with_star(given, entries)
    if not complete:
        return target.partly(given, entries)
    bounds = readings(given, entries, version, pinned)
    if not bounds:
        return misfit(given, entries)
    return target.planned(bounds, place) if one_meaning(bounds) else ambiguous(bounds)
