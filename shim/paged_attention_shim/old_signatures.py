"""Reads an argument list in the parameter lists that a removed function had, release by release."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from paged_attention_shim.removed import (
    NEW_NAMES,
    REQUIRED,
    SCRATCH,
    SURVIVING,
    Generation,
    Home,
    Parameter,
    RemovedName,
    generations_at,
)
from paged_attention_shim.removed.records import PYBIND

if TYPE_CHECKING:
    from collections.abc import Iterator

_SURVIVING = tuple([each for each in SURVIVING if not each.keyword_only])
# What stands in for an argument that was not given; None where the call works it out from the caches.
DEFAULTS = tuple([None if each.default is REQUIRED else each.default for each in _SURVIVING])
PLACE = {each.name: place for place, each in enumerate(_SURVIVING)}
_TARGETS = {**NEW_NAMES, "head_mapping": "num_kv_heads"}
_BOTH_SCALES = ("k_scale", "v_scale")
# Numbers that code passes as tensors of one element, or, for the heads, as a mapping.
_COUNTS = frozenset({"num_kv_heads", "block_size", "max_seq_len", "max_context_len"})
_SCALES = frozenset({"kv_scale", *_BOTH_SCALES})


class Reading(NamedTuple):
    """One meaning of an argument list: where each surviving parameter's argument stands.

    Places count the positional arguments, then the keywords in their order, then `DEFAULTS`.
    `labels` are the generations that mean the same, `given` the parameters with the places of their arguments.
    """

    labels: frozenset[str]
    places: tuple[int, ...]
    scratch: tuple[int, ...]
    given: tuple[tuple[Parameter, int], ...]

    def pick(self, given: tuple[Any, ...]) -> tuple[Any, ...]:
        """The surviving parameters' arguments, out of all that were given and the defaults."""
        return tuple([given[place] for place in self.places])


def readings(
    name: RemovedName, home: Home, positional: int, keywords: tuple[str, ...], version: str | None = None
) -> tuple[Reading, ...]:
    """Every meaning that so many positional arguments and these keywords had in a release, the oldest first."""
    found: dict[tuple[int, ...], Reading] = {}
    for generation in generations_at(name, home, version):
        reading = _read(generation, home, positional, keywords)
        if reading is None:
            continue
        same = found.get(reading.places)
        if same is not None:
            reading = reading._replace(labels=reading.labels | same.labels)
        found[reading.places] = reading
    return tuple(found.values())


def _read(generation: Generation, home: Home, positional: int, keywords: tuple[str, ...]) -> Reading | None:
    if positional > len(generation.parameters) or (keywords and home.call_style == PYBIND):
        return None
    places = {each.name: place for place, each in enumerate(generation.parameters[:positional])}
    known = {each.name for each in generation.parameters}
    for place, keyword in enumerate(keywords, positional):
        spelled = keyword if keyword in known else {"exp_sum": "exp_sums", "exp_sums": "exp_sum"}.get(keyword)
        if spelled not in known or spelled in places:
            return None
        places[spelled] = place
    if any(each.default is REQUIRED and each.name not in places for each in generation.parameters):
        return None
    targets = dict(_targets(places))
    after = positional + len(keywords)
    return Reading(
        frozenset([generation.label]),
        tuple([targets.get(each.name, after + place) for place, each in enumerate(_SURVIVING)]),
        tuple([places[each.name] for each in generation.parameters if each.name in SCRATCH]),
        tuple([(each, places[each.name]) for each in generation.parameters if each.name in places]),
    )


def _targets(places: dict[str, int]) -> Iterator[tuple[str, int]]:
    for name, place in places.items():
        if name == "kv_scale":
            yield from ((scale, place) for scale in _BOTH_SCALES)
        elif name not in SCRATCH:
            yield _TARGETS.get(name, name), place


def fitting(found: tuple[Reading, ...], arguments: tuple[Any, ...]) -> tuple[Reading, ...]:
    """The readings whose parameters can be of the arguments' types; all of them if none can.

    An int is rarely a scale, and a list without the tail of defaults ends with the scales: where only one of these two
    signs is there, or both point to the same reading, it decides.
    """
    fit = tuple(
        [each for each in found if all(_may_be(parameter, arguments[place]) for parameter, place in each.given)]
    )
    if len(fit) < 2:
        return fit or found
    exact = [each for each in fit if not any(_is_odd(parameter, arguments[place]) for parameter, place in each.given)]
    ending = [each for each in fit if all(parameter.default is REQUIRED for parameter, _ in each.given)]
    both = [each for each in exact if each in ending]
    return tuple(both or (fit if exact and ending else exact or ending or fit))


def deciding_places(found: tuple[Reading, ...]) -> tuple[int, ...] | None:
    """The places of the arguments by whose types `fitting` tells readings apart; None where it looks at more than two.

    They are the scales': all else that stands in one place is of one kind.
    """
    if len(found) == 1:
        return ()
    by_place: dict[int, list[Parameter]] = {}
    for reading in found:
        for parameter, place in reading.given:
            by_place.setdefault(place, []).append(parameter)
    scales = tuple([place for place, there in by_place.items() if any(each.name in _SCALES for each in there)])
    others = [there for place, there in by_place.items() if place not in scales]
    alike = all(len({(each.kind, each.name in _COUNTS) for each in there}) == 1 for there in others)
    return scales if alike and len(scales) <= 2 else None


def _is_odd(parameter: Parameter, argument: Any) -> bool:
    return parameter.name in _SCALES and isinstance(argument, int)


def _may_be(parameter: Parameter, argument: Any) -> bool:
    import torch

    is_tensor = isinstance(argument, torch.Tensor)
    counts = parameter.name in _COUNTS
    if parameter.name in _SCALES:
        return argument is None or is_tensor or isinstance(argument, (int, float))
    if parameter.name == "head_mapping":
        return is_tensor
    if parameter.kind in {"tensor", "optional tensor"}:
        return is_tensor or (argument is None and parameter.kind == "optional tensor")
    if parameter.kind == "int":
        return not isinstance(argument, (float, str)) and argument is not None and (not is_tensor or counts)
    if parameter.kind == "str":
        return isinstance(argument, str)
    return isinstance(argument, (int, float)) or is_tensor


def signature_text(generation: Generation) -> str:
    """The parameters of a generation as one would write them."""
    texts = [
        each.name if each.default is REQUIRED else f"{each.name}={each.default!r}" for each in generation.parameters
    ]
    return f"({', '.join(texts)})"
