"""Binds arguments against the parameter lists of a removed function, generation by generation."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import NamedTuple

from paged_attention_migrate.calls.arguments import Argument, form_of
from paged_attention_migrate.calls.verdict import Hazard, Plan, Verdict
from paged_attention_shim.removed import (
    NEW_NAMES,
    REQUIRED,
    SCRATCH,
    Generation,
    Home,
    Parameter,
    RemovedName,
    generations_at,
)

Entry = tuple[RemovedName, Home]
Pin = Callable[[], str | None]


class Bound(NamedTuple):
    """Arguments bound to one generation's parameters."""

    generation: Generation
    home: Home
    by_parameter: tuple[tuple[Parameter, Argument], ...]


def fitting(given: list[Argument], entries: list[Entry], version: str | None) -> list[Bound]:
    """Every generation and home whose parameter list takes the arguments."""
    found = []
    for name, home in entries:
        for generation in generations_at(name, home, version):
            bound = _bind(given, generation, home)
            if bound is not None:
                found.append(bound)
    return found


def _bind(given: list[Argument], generation: Generation, home: Home) -> Bound | None:
    parameters = {parameter.name: parameter for parameter in generation.parameters}
    positional = [argument for argument in given if argument.keyword is None]
    if len(positional) > len(generation.parameters):
        return None
    taken: dict[str, Argument] = {}
    for parameter, argument in zip(generation.parameters, positional, strict=False):
        taken[parameter.name] = argument
    for argument in given:
        if argument.keyword is None:
            continue
        name = argument.keyword
        if name not in parameters and name in {"exp_sum", "exp_sums"}:
            name = "exp_sums" if name == "exp_sum" else "exp_sum"
        if home.call_style == "pybind" or name not in parameters or name in taken:
            return None
        taken[name] = argument
    for parameter in generation.parameters:
        needed = parameter.default is REQUIRED or home.call_style != "wrapper"
        if needed and parameter.name not in taken:
            return None
    return Bound(generation, home, tuple((parameters[name], argument) for name, argument in taken.items()))


def readings(given: list[Argument], entries: list[Entry], version: str | None, pinned: Pin) -> list[Bound]:
    """The ways to read an argument list that are left once the version and the arguments' forms have spoken."""
    bound = fitting(given, entries, version)
    if version is None and bound and (not one_meaning(bound) or fp8_is_open(bound)):
        settled = pinned()
        bound = (fitting(given, entries, settled) if settled else []) or bound
    return plausible(bound)


def one_meaning(bounds: list[Bound]) -> bool:
    """Whether all readings give the same rewrite."""
    return len({_meaning(bound) for bound in bounds}) <= 1


def _meaning(bound: Bound) -> tuple[tuple[str, int], ...]:
    """Which surviving parameter every argument ends in: equal meanings give equal rewrites."""
    found = []
    for parameter, argument in bound.by_parameter:
        found.append((NEW_NAMES.get(parameter.name, parameter.name), argument.number))
    return tuple(sorted(found))


def plausible(bounds: list[Bound]) -> list[Bound]:
    """Leave out the readings that an argument's own form contradicts, or that nobody writes."""
    if one_meaning(bounds):
        return bounds
    sound = [bound for bound in bounds if not _contradicted(bound)] or bounds
    if one_meaning(sound):
        return sound
    # A wrapper's tail has defaults: fourteen plain arguments end with the two scales, not in the middle of the tail.
    ending = [bound for bound in sound if bound.by_parameter and _ends_at_scales(bound)]
    return ending if ending and one_meaning(ending) else sound


def _ends_at_scales(bound: Bound) -> bool:
    required = sum(parameter.default is REQUIRED for parameter in bound.generation.parameters)
    return len(bound.by_parameter) == required


def _contradicted(bound: Bound) -> bool:
    return any(_contradicts(parameter, argument.node) for parameter, argument in bound.by_parameter)


def _contradicts(parameter: Parameter, node: ast.expr) -> bool:
    form = form_of(node)
    if parameter.name == "head_mapping":
        return form in {"int", "float", "heads"}
    if parameter.name == "num_kv_heads":
        return form in {"mapping", "tensor", "float"}
    if parameter.name in {"kv_scale", "k_scale", "v_scale"}:
        return form in {"zero", "rank", "str"}
    if parameter.kind == "int":
        return form in {"scale", "float", "tensor", "str", "mapping"}
    if parameter.kind == "str":
        return form in {"int", "zero", "float", "tensor"}
    return False


def fp8_is_open(bounds: list[Bound]) -> bool:
    """Whether a literal "fp8" may come from the two releases in which it meant e5m2."""
    for bound in bounds:
        for parameter, argument in bound.by_parameter:
            is_fp8 = isinstance(argument.node, ast.Constant) and argument.node.value == "fp8"
            if parameter.name == "kv_cache_dtype" and is_fp8 and bound.generation.label in {"G5", "G6"}:
                return True
    return False


def ambiguous(bounds: list[Bound]) -> Verdict:
    """Two readings with different meanings: for a person."""
    ranges = []
    for bound in bounds:
        text = f"{bound.generation.first} to {bound.generation.last}"
        if text not in ranges:
            ranges.append(text)
    text = (
        f"the argument list fits vLLM {' and '.join(ranges)}, which read it differently: "
        "say which release the code was written for with --from-version"
    )
    return Verdict(None, Plan(), (Hazard("PAM404", text),))


def misfit(given: list[Argument], entries: list[Entry]) -> Verdict:
    """An argument list that no release took: for a person."""
    name, home = entries[0]
    keywords = sorted(argument.keyword for argument in given if argument.keyword)
    known = {
        parameter.name
        for entry, _ in entries
        for generation in entry.generations
        for parameter in generation.parameters
    }
    strange = [keyword for keyword in keywords if keyword not in known.union(SCRATCH)]
    if strange:
        why = f"`{strange[0]}` is no parameter of `{name.name}` in any release"
    elif keywords and home.call_style == "pybind":
        why = f"`{home.path}` took no keywords in any release, so the call never worked"
    else:
        why = f"{len(given)} arguments fit no parameter list that `{home.path}.{name.name}` ever had"
    return Verdict(None, Plan(), (Hazard("PAM404", why),))
