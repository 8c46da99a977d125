"""What may be done with a call of a removed function."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, NamedTuple

from paged_attention_migrate.calls.arguments import Argument, arguments_of
from paged_attention_migrate.calls.binding import Bound, Entry, Pin, ambiguous, misfit, one_meaning, readings
from paged_attention_migrate.targets import Asked, Place

if TYPE_CHECKING:
    from paged_attention_migrate.calls.verdict import Verdict
    from paged_attention_migrate.module import Module, Site


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
    entries = list(entries)
    given = arguments_of(place.call)[skip:]
    target = place.module.target_for(entries[0][0])
    return target.judged(Asked(place, given, entries, version, pinned, complete))


class ByRelease(NamedTuple):
    """Judges calls of functions that had other parameters in other releases.

    `planned` takes the readings of a whole argument list, which have one meaning; a list with a star and a part of a
    list cannot be read that way.
    """

    planned: Callable[[list[Bound], Place], Verdict]
    with_star: Callable[[list[Argument], list[Entry]], Verdict]
    partly: Callable[[list[Argument], list[Entry]], Verdict]

    def judged(self, asked: Asked) -> Verdict:
        """What may be done with a call."""
        if any(argument.star for argument in asked.given):
            return self.with_star(asked.given, asked.entries)
        if not asked.complete:
            return self.partly(asked.given, asked.entries)
        bounds = readings(asked.given, asked.entries, asked.version, asked.pinned)
        if not bounds:
            return misfit(asked.given, asked.entries)
        return self.planned(bounds, asked.place) if one_meaning(bounds) else ambiguous(bounds)


def judged(module: Module, site: Site, call: ast.Call, in_partial: bool = False) -> Verdict:
    """The same of a call at a site, as the settings and the project's pin read it."""
    entries = [(entry.name, entry.home) for entry in site.entries]
    version = module.settings.from_version
    place = Place(module, site, call)
    return judge(place, entries, version, _pin, skip=1 if in_partial else 0, complete=not in_partial)


def _pin() -> str | None:
    from paged_attention_migrate.settings import pinned_version

    return pinned_version()
