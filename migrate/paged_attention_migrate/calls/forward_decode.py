"""`PagedAttention.forward_decode`, whose arguments stood in another order."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from paged_attention_migrate.calls.arguments import Argument, arguments_of, can_go, can_stand_twice, short
from paged_attention_migrate.calls.binding import Entry, Pin, ambiguous, misfit, one_meaning, readings
from paged_attention_migrate.calls.verdict import Hazard, Plan, Verdict
from paged_attention_migrate.findings import SAFE, UNSAFE
from paged_attention_shim.removed import NEW_NAMES, REQUIRED, SURVIVING

# The old method had no defaults for these, so they are passed by position.
_NEEDED_BEFORE = frozenset({"alibi_slopes", "kv_cache_dtype", "k_scale", "v_scale"})


def judge_forward_decode(call: ast.Call, entries: Iterable[Entry], version: str | None, pinned: Pin) -> Verdict:
    """`PagedAttention.forward_decode(query, ...)` made its own output and took the block size from the cache."""
    entries = list(entries)
    given = arguments_of(call)
    if any(argument.star for argument in given):
        text = (
            "the arguments of `forward_decode` stand in another order than those of the surviving call, "
            "so a star cannot be passed on"
        )
        return Verdict(None, Plan(), (Hazard("PAM405", text),))
    bounds = readings(given, entries, version, pinned)
    if not bounds:
        return misfit(given, entries)
    if not one_meaning(bounds):
        return ambiguous(bounds)
    arguments = {
        NEW_NAMES.get(parameter.name, parameter.name): argument for parameter, argument in bounds[0].by_parameter
    }
    return _arranged(arguments)


def _arranged(arguments: dict[str, Argument]) -> Verdict:
    value_cache = arguments["value_cache"].node
    if not can_stand_twice(value_cache):
        text = f"the block size is `shape[3]` of `{short(value_cache)}`, which cannot be written twice: name it first"
        return Verdict(None, Plan(), (Hazard("PAM409", text),))
    if "kv_scale" in arguments:
        if not can_stand_twice(arguments["kv_scale"].node):
            scale = short(arguments["kv_scale"].node)
            text = f"`kv_scale` became two scales, and `{scale}` cannot be written twice: name it first"
            return Verdict(None, Plan(), (Hazard("PAM409", text),))
        arguments["k_scale"] = arguments["v_scale"] = arguments.pop("kv_scale")
    items: list[int | str] = ["None"]
    by_position = True
    for parameter in SURVIVING[1:]:
        if parameter.name == "block_size":
            items.append(f"{ast.unparse(value_cache)}.shape[3]")
            continue
        argument = arguments.get(parameter.name)
        if argument is None:
            by_position = False
            continue
        was_needed = parameter.default is REQUIRED or parameter.name in _NEEDED_BEFORE
        plain = by_position and (argument.keyword is None or was_needed)
        by_position = by_position and plain
        items.append(argument.number if plain else f"{parameter.name}={ast.unparse(argument.node)}")
    impure = [argument for argument in arguments.values() if not can_go(argument.node)]
    plan = Plan(arrange=tuple(items))
    by_name = {name: argument.node for name, argument in arguments.items()}
    if impure:
        text = f"the arguments change their order, and evaluating `{short(impure[0].node)}` may do something"
        return Verdict(UNSAFE, plan, (Hazard("PAM410", text),), (), (), by_name)
    return Verdict(SAFE, plan, (), (), (), by_name)
