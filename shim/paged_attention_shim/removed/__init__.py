"""Every name of vLLM that is gone: its homes, its parameter lists through the releases, what took its place.

The one table: the codemod's rules, the shim's errors and the docs are made from it.
`python -m paged_attention_shim.removed` prints it as Markdown.
"""

from __future__ import annotations

from paged_attention_shim.removed.parameters import NEW_NAMES, SCRATCH, SURVIVING
from paged_attention_shim.removed.records import OP, REQUIRED, WRAPPER, Generation, Home, Parameter, RemovedName
from paged_attention_shim.removed.releases import RELEASES, following, position
from paged_attention_shim.removed.rows import REMOVED

__all__ = [
    "NEW_NAMES",
    "RELEASES",
    "REMOVED",
    "REQUIRED",
    "SCRATCH",
    "SURVIVING",
    "Generation",
    "Home",
    "Parameter",
    "RemovedName",
    "entry_point",
    "following",
    "generations_at",
    "position",
]

# By identity, for hashing a list of parameters is slow; the list is kept, so that no other gets its id.
_TAKEN: dict[tuple[int, str], tuple[tuple[Parameter, ...], tuple[Parameter, ...]]] = {}
_ENTRIES: dict[str, tuple[RemovedName, Home]] = {}


def entry_point(path: str) -> tuple[RemovedName, Home] | None:
    """What a full dotted name such as `vllm._custom_ops.paged_attention_v1` meant; None if it is no removed name."""
    if not _ENTRIES:
        for name in REMOVED:
            for home in name.homes:
                _ENTRIES[f"{home.path}.{name.name}"] = name, home
                if home.call_style == OP:
                    _ENTRIES[f"{home.path}.{name.name}.default"] = name, home
    return _ENTRIES.get(path)


def generations_at(name: RemovedName, home: Home, version: str | None = None) -> tuple[Generation, ...]:
    """The parameter lists of `name` at `home`, oldest first.

    Each is as that home took it (spelling, defaults) and has the releases in which it was there.
    With `version`, only the one that this version of vLLM had there: none if the home was gone or not there yet.
    """
    opened, closed = position(home.first), position(home.last)
    at = None if version is None else position(version)
    found = []
    for generation in name.generations:
        first, last = max(position(generation.first), opened), min(position(generation.last), closed)
        if first > last or (at is not None and not first <= at <= last):
            continue
        parameters = _as_taken(generation.parameters, home.call_style)
        found.append(generation._replace(first=RELEASES[first], last=RELEASES[last], parameters=parameters))
    return tuple(found)


def _as_taken(parameters: tuple[Parameter, ...], call_style: str) -> tuple[Parameter, ...]:
    if call_style == WRAPPER:
        return parameters
    known = _TAKEN.get((id(parameters), call_style))
    if known is None:
        known = _TAKEN[id(parameters), call_style] = parameters, _required(parameters, call_style)
    return known[1]


def _required(parameters: tuple[Parameter, ...], call_style: str) -> tuple[Parameter, ...]:
    required = [parameter._replace(default=REQUIRED) for parameter in parameters]
    if call_style == OP:
        required = [each._replace(name="exp_sums") if each.name == "exp_sum" else each for each in required]
    return tuple(required)
