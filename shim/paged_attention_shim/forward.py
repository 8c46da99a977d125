"""Calls in the old signatures, of any generation, through the call that survives."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any, NamedTuple

from paged_attention_shim import usage
from paged_attention_shim.attention import paged_attention
from paged_attention_shim.old_signatures import DEFAULTS, Reading, fitting, readings, signature_text
from paged_attention_shim.old_values import settled
from paged_attention_shim.removed import REQUIRED, Generation, generations_at
from paged_attention_shim.removed.records import PYBIND

if TYPE_CHECKING:
    from collections.abc import Callable

    from paged_attention_shim.removed import Home, RemovedName

_PLAIN = (int, float, str)


class Options(NamedTuple):
    """What the user asked for beside forwarding.

    `fill_scratch` fills the scratch buffers of v2 as the CUDA kernel did; `from_version` is the release of vLLM that
    the code was written for, where an argument list fits several; `rocm` stands in for the ROCm operator elsewhere.
    """

    fill_scratch: bool = False
    from_version: str | None = None
    rocm: bool = False


class Call(NamedTuple):
    """A call as it is understood: the positional arguments of the surviving call, and the scratch buffers."""

    values: tuple[Any, ...]
    scratch: tuple[Any, ...]


def forwarder(name: RemovedName, home: Home, options: Options) -> Callable[..., Any]:
    """The removed function as it was at one home; it warns once for every line that calls it, and counts."""
    understand = reader(name, home, options.from_version)
    gives_output = name.name == "forward_decode"

    def forward(*arguments: Any, **keywords: Any) -> Any:
        import torch

        understood = understand(arguments, keywords)
        if torch.compiler.is_compiling() and not gives_output:
            from paged_attention_shim.operators import in_graph

            return in_graph(name, understood)
        usage.count(name, home)
        out = run(understood, fill_scratch=options.fill_scratch)
        return out if gives_output else None

    newest = generations_at(name, home)[-1]
    forward.__name__ = forward.__qualname__ = name.name
    forward.__module__ = home.path
    forward.__doc__ = f"Gone since vLLM {name.removed_in}, and forwarded. {name.advice}"
    forward.__signature__ = _signature(newest, home)  # type: ignore[attr-defined]  # what `inspect.signature` gives
    return forward


def run(understood: Call, *, fill_scratch: bool) -> Any:
    """Make the surviving call, and leave in the scratch buffers what the CUDA kernel of v2 did if that is wanted."""
    if fill_scratch and understood.scratch:
        from paged_attention_kernels import fill_partitions

        fill_partitions(*understood.scratch, *understood.values[1:])  # first, for it refuses wrong buffers
    return paged_attention(*understood.values)


def reader(name: RemovedName, home: Home, version: str | None) -> Callable[[tuple[Any, ...], dict[str, Any]], Call]:
    """What understands argument lists of a removed function at one home, in one release or in all.

    It raises TypeError for a list that no release took, or that several took in different meanings.
    """
    known: dict[tuple[tuple[str, ...], tuple[type, ...]], tuple[Reading, ...]] = {}

    def understand(arguments: tuple[Any, ...], keywords: dict[str, Any]) -> Call:
        given = (*arguments, *keywords.values())
        shape = tuple(keywords), tuple(map(type, given))
        given += DEFAULTS
        found = known.get(shape)
        if found is not None and len(found) == 1:
            return _understood(found[0], given)
        if found is None:
            found = readings(name, home, len(arguments), shape[0], version)
            if not found:
                raise TypeError(_misfit(name, home, len(arguments), shape[0]))
            known[shape] = found = fitting(found, given)
        calls = [_understood(reading, given) for reading in found]
        if not all(_same(calls[-1], other) for other in calls[:-1]):
            raise TypeError(_ambiguous(name, home, found))
        return calls[-1]

    return understand


def _understood(reading: Reading, given: tuple[Any, ...]) -> Call:
    scratch = tuple([given[place] for place in reading.scratch]) if reading.scratch else ()
    return Call(settled(reading.pick(given), reading.labels), scratch)


def _same(first: Call, second: Call) -> bool:
    """Whether two readings compute the same, tensors being the same if they are one."""
    return all(
        one is other or (type(one) in _PLAIN and type(other) in _PLAIN and one == other)
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


def _signature(generation: Generation, home: Home) -> inspect.Signature:
    kind = inspect.Parameter.POSITIONAL_ONLY if home.call_style == PYBIND else inspect.Parameter.POSITIONAL_OR_KEYWORD
    return inspect.Signature(
        [
            inspect.Parameter(
                each.name, kind, default=inspect.Parameter.empty if each.default is REQUIRED else each.default
            )
            for each in generation.parameters
        ]
    )
