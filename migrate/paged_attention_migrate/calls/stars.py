"""Calls whose arguments are not all in sight: stars, and `functools.partial`."""

from __future__ import annotations

import ast

from paged_attention_migrate.calls.arguments import Argument, can_go, short, unstarred
from paged_attention_migrate.calls.binding import Entry, misfit
from paged_attention_migrate.calls.scales import split_scale
from paged_attention_migrate.calls.verdict import Hazard, Plan, Verdict
from paged_attention_migrate.findings import SAFE, UNSAFE
from paged_attention_shim.removed import NEW_NAMES, SCRATCH, SURVIVING

_SURVIVING_NAMES = frozenset(parameter.name for parameter in SURVIVING)


def with_star(given: list[Argument], entries: list[Entry]) -> Verdict:
    """A call with `*items` or `**items`."""
    name, _ = entries[0]
    hazards: list[Hazard] = []
    if _strange_keyword(given):
        return misfit(given, entries)
    plan, fix = _keywords_brought_up(given, hazards)
    stars = " and ".join(f"`{argument.star}{short(unstarred(argument.node))}`" for argument in given if argument.star)
    old = [entry_home.path for _, entry_home in entries if entry_home.call_style == "pybind"]
    if old and fix:
        fix = UNSAFE
        hazards.append(Hazard("PAM405", f"{stars} may hold one of the older parameter lists of `{old[0]}`"))
    if not name.scratch:
        hazards.append(Hazard("PAM405", f"{stars} is passed on as it is: what it holds could not be counted"))
        return Verdict(fix, plan, tuple(hazards))
    return _star_with_scratch(given, plan, fix, stars, hazards)


def _star_with_scratch(
    given: list[Argument], plan: Plan, fix: str | None, stars: str, hazards: list[Hazard]
) -> Verdict:
    leading = []
    for argument in given:
        if argument.star or argument.keyword:
            break
        leading.append(argument)
    named = [argument for argument in given if argument.keyword in SCRATCH]
    dropped = leading[1:4] if len(leading) >= 4 else named if len(named) == 3 else None
    if dropped is not None:
        hazards.append(Hazard("PAM405", f"{stars} is passed on as it is: what it holds could not be counted"))
        bad = [argument for argument in dropped if not can_go(argument.node)]
        if bad:
            text = f"dropping `{short(bad[0].node)}` would also drop what evaluating it does"
            hazards.insert(0, Hazard("PAM410", text))
            fix = None
        plan = plan._replace(drop=tuple(argument.number for argument in dropped))
        return Verdict(fix, plan, tuple(hazards), (), tuple(argument.node for argument in dropped))
    first = given[0]
    inner = unstarred(first.node)
    alone = first.star == "*" and isinstance(inner, ast.Name) and not any(argument.star for argument in given[1:])
    if alone and isinstance(inner, ast.Name):
        text = f"the scratch buffers are items 1 to 3 of `{inner.id}`, if that is a tuple or list with every argument"
        hazards.append(Hazard("PAM405", text))
        plan = plan._replace(replace=((first.number, f"{inner.id}[0], *{inner.id}[4:]"),))
        return Verdict(UNSAFE if fix else None, plan, tuple(hazards))
    hazards.append(
        Hazard("PAM405", f"the scratch buffers to drop are somewhere in {stars}: take them out where it is built")
    )
    return Verdict(None, plan, tuple(hazards))


def partly(given: list[Argument], entries: list[Entry]) -> Verdict:
    """A `functools.partial`: the first arguments now, the rest at the call."""
    name, home = entries[0]
    positional = [argument for argument in given if argument.keyword is None]
    scratch = len([parameter for parameter in name.generations[-1].parameters if parameter.name in SCRATCH])
    hazards: list[Hazard] = []
    if _strange_keyword(given):
        return misfit(given, entries)
    plan, fix = _keywords_brought_up(given, hazards)
    most = 4 if home.call_style == "pybind" else 12
    if len(positional) > most + scratch:
        text = "which release's parameter list this continues cannot be told from a part of it"
        return Verdict(None, Plan(), (Hazard("PAM404", text),))
    if not scratch:
        return Verdict(fix, plan, tuple(hazards))
    named = [argument for argument in given if argument.keyword in SCRATCH]
    dropped = positional[1:4] if len(positional) >= 4 else named if len(named) == 3 else None
    if dropped is None:
        text = "the scratch buffers are passed when the partial is called: drop them there and rename by hand"
        return Verdict(None, Plan(), (Hazard("PAM405", text),))
    if not all(can_go(argument.node) for argument in dropped):
        return Verdict(
            None, Plan(), (Hazard("PAM410", "dropping the scratch would also drop what evaluating it does"),)
        )
    plan = plan._replace(drop=tuple(argument.number for argument in dropped))
    return Verdict(fix, plan, tuple(hazards), (), tuple(argument.node for argument in dropped))


def _strange_keyword(given: list[Argument]) -> bool:
    known = (*_SURVIVING_NAMES, *SCRATCH, *NEW_NAMES, "kv_scale", None)
    return any(argument.keyword not in known for argument in given)


def _keywords_brought_up(given: list[Argument], hazards: list[Hazard]) -> tuple[Plan, str | None]:
    """The keywords of older parameter lists as the surviving function names them."""
    plan = Plan()
    fix: str | None = SAFE
    for argument in given:
        if argument.keyword in NEW_NAMES:
            plan = plan._replace(rename=(*plan.rename, (argument.number, NEW_NAMES[argument.keyword])))
        elif argument.keyword == "kv_scale":
            plan, fix = split_scale(argument, plan, fix, hazards)
    return plan, fix
