"""What an argument list in an old signature asks of the call that survives."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from paged_attention_shim.old_signatures import DEFAULTS, Reading, deciding_places, fitting, readings, signature_text
from paged_attention_shim.old_values import Plain, plain, settled
from paged_attention_shim.removed import generations_at
from paged_attention_shim.removed.records import PYBIND

if TYPE_CHECKING:
    from paged_attention_shim.removed import Home, RemovedName

_PLAIN_TYPES = (int, float, str)


class Call(NamedTuple):
    """A call as it is understood: the positional arguments of the surviving call, and the scratch buffers."""

    values: tuple[Any, ...]
    scratch: tuple[Any, ...]


class ArgumentLists:
    """Understands the argument lists of a removed function at one home, in one release or in all."""

    def __init__(self, name: RemovedName, home: Home, version: str | None) -> None:
        """`version` is the release that the code was written for, None for every one."""
        self._name, self._home, self._version = name, home, version
        self._readings: dict[tuple[Any, ...], tuple[Reading, ...]] = {}
        self._plain: dict[Any, Plain] = {}

    def plain_values(self, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> tuple[Any, ...] | None:
        """The arguments of the surviving call for most lists that were understood before, in half a microsecond.

        None where `understood` must look: the list has several meanings, or its values need more than a new order.
        """
        if keywords:
            shape: Any = (len(arguments), *keywords)
            arguments = (*arguments, *keywords.values())
        else:
            shape = len(arguments)
        known = self._plain.get(shape)
        return None if known is None else known.values(arguments)

    def understood(self, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> Call:
        """What a list asks for; raises TypeError for one that no release took, or several in different meanings."""
        given = (*arguments, *keywords.values())
        shape = (*keywords, *map(type, given))
        found = self._readings.get(shape)
        if found is None:
            found = readings(self._name, self._home, len(arguments), tuple(keywords), self._version)
            if not found:
                raise TypeError(_misfit(self._name, self._home, len(arguments), tuple(keywords)))
            deciding = deciding_places(found)
            self._readings[shape] = found = fitting(found, given + DEFAULTS)
            if len(found) == 1 and deciding is not None:
                count = len(arguments)
                self._plain[(count, *keywords) if keywords else count] = plain(found[0], given, deciding)
        calls = [_understood(reading, given + DEFAULTS) for reading in found]
        if not all(_same(calls[-1], other) for other in calls[:-1]):
            raise TypeError(_ambiguous(self._name, self._home, found))
        return calls[-1]


def _understood(reading: Reading, given: tuple[Any, ...]) -> Call:
    scratch = tuple([given[place] for place in reading.scratch]) if reading.scratch else ()
    return Call(settled(reading.pick(given), reading.labels), scratch)


def _same(first: Call, second: Call) -> bool:
    """Whether two readings compute the same, tensors being the same if they are one."""
    return all(
        one is other or (type(one) in _PLAIN_TYPES and type(other) in _PLAIN_TYPES and one == other)
        for one, other in zip(first.values, second.values, strict=True)
    )


def _misfit(name: RemovedName, home: Home, positional: int, keywords: tuple[str, ...]) -> str:
    given = f"{positional} positional arguments"
    if keywords:
        given += f" and the keywords {', '.join(keywords)}"
    newest = generations_at(name, home)[-1]
    takes = "by position " if home.call_style == PYBIND else ""
    return (
        f"{name.name}() was given {given}, which no release of vLLM took at {home.path}; "
        f"the last one there, {newest.last}, took {takes}{signature_text(newest)}"
    )


def _ambiguous(name: RemovedName, home: Home, found: tuple[Reading, ...]) -> str:
    ranges = []
    for reading in found:
        fit = [each for each in generations_at(name, home) if each.label in reading.labels]
        ranges.append(f"{fit[0].first} to {fit[-1].last}")
    return (
        f"{name.name}() was given arguments that vLLM {' and '.join(ranges)} read differently: say which release the "
        f'code was written for with install(from_version="{fit[-1].last}") or '
        f"PAGED_ATTENTION_SHIM=forward,from={fit[-1].last}"
    )
