"""What may be done with a call of a removed attention function."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from paged_attention_migrate.calls.arguments import Argument, arguments_of, can_go, short
from paged_attention_migrate.calls.binding import (
    Bound,
    Entry,
    Pin,
    ambiguous,
    fp8_is_open,
    misfit,
    one_meaning,
    readings,
)
from paged_attention_migrate.calls.scales import add_heads, count_heads, is_mapping, name_fp8, split_scale
from paged_attention_migrate.calls.stars import partly, with_star
from paged_attention_migrate.calls.verdict import Hazard, Plan, Verdict
from paged_attention_migrate.findings import SAFE
from paged_attention_shim.removed import NEW_NAMES, SCRATCH


def judge(
    call: ast.Call,
    entries: Iterable[Entry],
    version: str | None,
    pinned: Pin,
    skip: int = 0,
    complete: bool = True,
) -> Verdict:
    """Say how a call to one of `entries` (the same function, perhaps from several homes) becomes the surviving one.

    `skip` leading arguments are not the function's own (1 inside `functools.partial`);
    `complete` is False when more arguments follow later.
    """
    given = arguments_of(call)[skip:]
    entries = list(entries)
    if any(argument.star for argument in given):
        return with_star(given, entries)
    if not complete:
        return partly(given, entries)
    bounds = readings(given, entries, version, pinned)
    if not bounds:
        return misfit(given, entries)
    return _planned(bounds) if one_meaning(bounds) else ambiguous(bounds)


def _planned(bounds: list[Bound]) -> Verdict:
    bound = bounds[0]
    arguments = {parameter.name: argument for parameter, argument in bound.by_parameter}
    plan = Plan()
    hazards: list[Hazard] = []
    fix: str | None = SAFE
    reasons: list[str] = []
    dropped: list[Argument] = []
    for parameter, argument in bound.by_parameter:
        if parameter.name in SCRATCH:
            dropped.append(argument)
        elif argument.keyword in NEW_NAMES:
            plan = plan._replace(rename=(*plan.rename, (argument.number, NEW_NAMES[argument.keyword])))
    plan = plan._replace(drop=tuple(sorted(argument.number for argument in dropped)))
    if "kv_scale" in arguments:
        plan, fix = split_scale(arguments["kv_scale"], plan, fix, hazards)
    if "head_mapping" in arguments or is_mapping(arguments.get("num_kv_heads")):
        plan, fix = count_heads(arguments, plan, fix, hazards)
    elif "num_kv_heads" not in arguments:
        plan, fix = add_heads(arguments, plan, fix, hazards)
    if fix is not None and fp8_is_open(bounds):
        plan, fix = name_fp8(bounds, arguments["kv_cache_dtype"], plan, fix, hazards)
    for argument in dropped:
        if not can_go(argument.node):
            fix = None
            hazards.append(
                Hazard("PAM410", f"dropping `{short(argument.node)}` would also drop what evaluating it does")
            )
    scratch = tuple(argument.node for argument in dropped)
    by_name = {name: argument.node for name, argument in arguments.items()}
    return Verdict(fix, plan, tuple(hazards), tuple(reasons), scratch, by_name)
